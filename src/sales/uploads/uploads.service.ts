import { Injectable } from '@nestjs/common';
import { EventEmitter2 } from '@nestjs/event-emitter';
import type { Principal } from '../../auth/current-user.decorator.js';
import { AppConfig } from '../../config/app-config.js';
import { addDays, BusinessCalendar } from '../../config/business-calendar.js';
import { counter } from '../../metrics/metrics.js';
import { RestaurantNotGranted } from '../../restaurants/restaurants.errors.js';
import { DateTooFarAhead, RestaurantClosed } from '../sales.errors.js';
import { DaySaved } from '../sales.events.js';
import { UploadsRepository, type Upload } from './uploads.repository.js';

const uploads = counter('uploads_saved_total', 'Uploads that were saved');
const records = counter('upload_records_saved_total', 'Hourly records in the uploads that were saved');
const overwritten = counter('upload_hours_overwritten_total', 'Hours whose figures an upload replaced by others');

@Injectable()
export class UploadsService {
  constructor(
    private readonly uploads: UploadsRepository,
    private readonly calendar: BusinessCalendar,
    private readonly config: AppConfig,
    private readonly events: EventEmitter2,
  ) {}

  /** Returns the restaurant's name. */
  async uploadDay(upload: Upload, principal: Principal): Promise<string> {
    const latest = this.latestDay();
    if (latest !== undefined && upload.date > latest) throw new DateTooFarAhead(upload.date, latest);
    const { restaurantId, date, userId } = upload;
    const { live, name, granted, closed, number, overwrittenHours } = await this.uploads.save(upload);
    principal.confirm(live);
    if (name === null || granted !== true) throw new RestaurantNotGranted(restaurantId);
    if (closed === true) throw new RestaurantClosed(restaurantId, name, date);
    uploads.add();
    records.add(upload.records.length);
    overwritten.add(countBits(overwrittenHours));
    if (number !== null) this.events.emit(DaySaved.name, new DaySaved(restaurantId, date, number, userId));
    return name;
  }

  private latestDay(): string | undefined {
    const days = this.config.UPLOAD_MAX_FUTURE_DAYS;
    return days === '' ? undefined : addDays(this.calendar.today(), Number(days));
  }
}

function countBits(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count++;
  return count;
}
