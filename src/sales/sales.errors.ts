import { serviceError } from '../http/errors/service-error.js';

const UPLOADED_DATE = ['/records/0/date'];

export class RestaurantClosed extends serviceError({
  code: 'restaurant_closed',
  status: 400,
  text: (id: number, name: string, date: string, reason: string | null) =>
    `restaurant ${id} (${name}) is closed on ${date}${reason === null ? '' : ` (${reason})`}: ` +
    'only zeros can be uploaded for it',
  pointers: UPLOADED_DATE,
}) {}

export class DayHasChanged extends serviceError({
  code: 'day_has_changed',
  status: 409,
  text: (id: number, name: string, date: string, version: number) =>
    `restaurant ${id} (${name}) on ${date} has changed since it was read: ` +
    `its version is ${version} now; nothing was saved, so read the day again`,
}) {}

export class DateTooFarAhead extends serviceError({
  code: 'date_too_far_ahead',
  status: 400,
  text: (date: string, latest: string) =>
    `records[0].date (${date}) is too far in the future: ${latest} is the latest day that is accepted`,
  pointers: UPLOADED_DATE,
}) {}

export class InvalidUploadSource extends serviceError({
  code: 'invalid_upload_source',
  status: 400,
  text:
    'the header X-Upload-Source must be percent-encoded UTF-8 of at most 200 characters, ' +
    'none of them a control or invisible character',
}) {}

export class InvalidImportSource extends serviceError({
  code: 'invalid_import_source',
  status: 400,
  text:
    'the header X-Import-Source must be percent-encoded JSON of at most 4000 characters, with a ' +
    'text `profile` and a list `tills` of at most 200 texts',
}) {}

export class TooManyDays extends serviceError({
  code: 'too_many_days',
  status: 400,
  text: (max: number) => `from and to must span at most ${max} days: ask for a shorter range`,
  pointers: ['/from', '/to'],
}) {}
