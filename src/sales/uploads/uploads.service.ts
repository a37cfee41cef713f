import { Injectable } from '@nestjs/common';
import { EventEmitter2 } from '@nestjs/event-emitter';
import type { Principal } from '../../auth/current-user.decorator.js';
import { addDays, BusinessCalendar } from '../../config/business-calendar.js';
import { counter, gauge } from '../../metrics/metrics.js';
import { RestaurantNotGranted } from '../../restaurants/restaurants.errors.js';
import { DateTooFarAhead, MonthArchived, RestaurantClosed } from '../sales.errors.js';
import { DaySaved } from '../sales.events.js';
import type { Upload, UploadChecks } from './upload.js';
import { UploadsConfig } from './uploads.config.js';
import { UploadsRepository } from './uploads.repository.js';

const uploads = counter('uploads_saved_total', 'Uploads that were saved');
const records = counter('upload_records_saved_total', 'Hourly records in the uploads that were saved');
const overwritten = counter('upload_hours_overwritten_total', 'Hours whose figures an upload replaced by others');

let lastUploadAt = 0;
gauge(
  'last_upload_timestamp_seconds',
  'When an upload was last saved; 0: none since the start',
  () => lastUploadAt,
  'max',
);

/** Decides whether an upload may be saved, and saves or previews it. */
@Injectable()
export class UploadsService {
  constructor(
    private readonly uploads: UploadsRepository,
    private readonly calendar: BusinessCalendar,
    private readonly config: UploadsConfig,
    private readonly events: EventEmitter2,
  ) {}

  /** Returns the restaurant's name. */
  async uploadDay(upload: Upload, principal: Principal): Promise<string> {
    this.assertNotTooFarAhead(upload.date);
    const { restaurantId, date, userId } = upload;
    const outcome = await this.uploads.save(upload);
    const name = assertAccepted(outcome, upload, principal);
    const { number, overwrittenHours } = outcome;
    uploads.add();
    lastUploadAt = Date.now() / 1000;
    records.add(upload.records.length);
    overwritten.add(countBits(overwrittenHours));
    if (number !== null) this.events.emit(DaySaved.name, new DaySaved(restaurantId, date, number, userId));
    return name;
  }

  /** Checks the upload as `uploadDay` does but saves nothing; `preview` is JSON text. */
  async previewDay(upload: Upload, principal: Principal): Promise<{ name: string; preview: string }> {
    this.assertNotTooFarAhead(upload.date);
    const outcome = await this.uploads.preview(upload);
    return { name: assertAccepted(outcome, upload, principal), preview: outcome.preview };
  }

  private assertNotTooFarAhead(date: string): void {
    const days = this.config.UPLOAD_MAX_FUTURE_DAYS;
    if (days === '') return;
    const latest = addDays(this.calendar.today(), Number(days));
    if (date > latest) throw new DateTooFarAhead(date, latest);
  }
}

/** Returns the restaurant's name. */
function assertAccepted(
  { live, name, granted, closed, archived }: UploadChecks,
  { restaurantId, date }: Upload,
  principal: Principal,
): string {
  principal.confirm(live);
  if (name === null || granted !== true) throw new RestaurantNotGranted(restaurantId);
  if (closed === true) throw new RestaurantClosed(restaurantId, name, date);
  if (archived) throw new MonthArchived(date);
  return name;
}

function countBits(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count++;
  return count;
}
