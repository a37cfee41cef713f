import { Injectable } from '@nestjs/common';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { Counter, Gauge } from 'prom-client';
import { TokenInvalid } from '../../auth/tokens/tokens.errors.js';
import { addDays, BusinessCalendar } from '../../calendar/business-calendar.js';
import { closureOn, expectedHours } from '../../calendar/expected-hours.js';
import { countHours, listHours } from '../../calendar/hour-set.js';
import { LimitsConfig } from '../../config/limits.config.js';
import { RestaurantNotGranted } from '../../restaurants/restaurants.errors.js';
import { RestaurantsService } from '../../restaurants/restaurants.service.js';
import { DateTooFarAhead, DayHasChanged, RestaurantClosed } from '../sales.errors.js';
import type { Upload, UploadChecks, UploadPreview } from './upload.js';
import { UploadSaved } from './uploads.events.js';
import { UploadsRepository } from './uploads.repository.js';

const savedUploads = new Counter({
  name: 'uploads_saved_total',
  help: 'Uploads that were saved',
});
const savedRecords = new Counter({
  name: 'upload_records_saved_total',
  help: 'Hourly records in the uploads that were saved',
});
const overwrittenHours = new Counter({
  name: 'upload_hours_overwritten_total',
  help: 'Hours whose figures an upload replaced by others',
});
const lastUploadTime = new Gauge({
  name: 'last_upload_timestamp_seconds',
  help: 'When an upload was last saved; 0: none since the start',
});

/** Decides whether an upload may be saved, and saves or previews it. */
@Injectable()
export class UploadsService {
  constructor(
    private readonly uploads: UploadsRepository,
    private readonly restaurants: RestaurantsService,
    private readonly calendar: BusinessCalendar,
    private readonly config: LimitsConfig,
    private readonly events: EventEmitter2,
  ) {}

  /**
   * Saves an upload; returns the restaurant's name. Throws `DayHasChanged` if the day has another
   * version than is expected, unless all hours stand as they were sent: a retry is harmless.
   */
  async uploadDay(upload: Upload): Promise<string> {
    this.assertNotTooFarAhead(upload.date);
    const saved = await this.uploads.save(upload);
    const name = await this.acceptedName(saved, upload);
    const { replacedHours } = saved;
    if (replacedHours === null) {
      assertStands(await this.previewDay(upload), upload);
      return name;
    }
    savedUploads.inc();
    savedRecords.inc(upload.records.length);
    lastUploadTime.setToCurrentTime();
    overwrittenHours.inc(countHours(replacedHours));
    if (this.events.listenerCount(UploadSaved.event) > 0) this.tell(upload, replacedHours);
    return name;
  }

  private tell({ restaurantId, date, records, userId }: Upload, replacedHours: number) {
    const hours = records.map(({ hour }) => hour);
    const saved = new UploadSaved(restaurantId, date, hours, listHours(replacedHours), userId);
    this.events.emit(UploadSaved.event, saved);
  }

  /** Checks the upload as `uploadDay` does and says what it would change, but saves nothing. */
  async previewDay(upload: Upload): Promise<UploadPreview & { readonly name: string }> {
    const { userId, restaurantId, date } = upload;
    this.assertNotTooFarAhead(date);
    const [restaurant] = await this.restaurants.listVisible(userId, [restaurantId]);
    const expected = restaurant ? expectedHours(restaurant, this.calendar.dayOf(date)) : 0;
    const preview = await this.uploads.preview(upload, this.calendar.today(), expected);
    const accepted = { ...preview, name: await this.acceptedName(preview, upload) };
    const { expectedVersion = preview.version } = upload;
    if (expectedVersion !== preview.version) assertStands(accepted, upload);
    return accepted;
  }

  /** Returns the restaurant's name, or throws an error for what is found against an upload. */
  private async acceptedName(
    { live, name, granted, closed }: UploadChecks,
    { restaurantId, date }: Upload,
  ): Promise<string> {
    if (live !== true) throw new TokenInvalid();
    if (name === null || granted !== true) throw new RestaurantNotGranted(restaurantId);
    if (closed !== true) return name;
    const closure = closureOn(await this.restaurants.get(restaurantId), date);
    throw new RestaurantClosed(restaurantId, name, date, closure?.reason ?? null);
  }

  private assertNotTooFarAhead(date: string): void {
    const days = this.config.UPLOAD_MAX_FUTURE_DAYS;
    if (days === null) return;
    const latest = addDays(this.calendar.today(), days);
    if (date > latest) throw new DateTooFarAhead(date, latest);
  }
}

/** Throws an error unless all hours of an upload stand as it sent them. */
function assertStands(
  { name, version, changes }: UploadPreview & { readonly name: string },
  { restaurantId, date }: Upload,
): void {
  if (changes.length > 0) throw new DayHasChanged(restaurantId, name, date, version);
}
