import { commandError, serviceError } from '../http/errors/service-error.js';

const UPLOADED_DATE = ['/records/0/date'];

export const RestaurantClosed = serviceError(
  'restaurant_closed',
  400,
  (id: number, name: string, date: string) =>
    `restaurant ${id} (${name}) is closed on ${date}: nothing can be uploaded for that day`,
  {},
  UPLOADED_DATE,
);

export const DateTooFarAhead = serviceError(
  'date_too_far_ahead',
  400,
  (date: string, latest: string) =>
    `records[0].date (${date}) is too far in the future: ${latest} is the latest day that is accepted`,
  {},
  UPLOADED_DATE,
);

export const MonthArchived = serviceError(
  'month_archived',
  400,
  (date: string) => `${date} is in a month that was archived: nothing can be uploaded for it`,
  {},
  UPLOADED_DATE,
);

export const MonthNotArchivable = commandError(
  'month_not_archivable',
  400,
  (month: string, reason: string) => `${month} cannot be archived: ${reason}`,
);

export const DatesReversed = serviceError(
  'dates_reversed',
  400,
  (from: string, to: string) => `to (${to}) must not be before from (${from})`,
  {},
  ['/to'],
);

export const TooManyDays = serviceError(
  'too_many_days',
  400,
  (max: number) => `from and to must span at most ${max} days: ask for a shorter range`,
  {},
  ['/from', '/to'],
);

export const MachineNotAssigned = commandError(
  'machine_not_assigned',
  400,
  (machine: string) =>
    `the user has not chosen a restaurant for machine ${machine}: see docs/integrating.md#mall-files`,
);

export const HourRepeated = commandError(
  'hour_repeated',
  400,
  (hour: string, file: string) => `${hour} is also in ${file}: import one of the two`,
);

export const UserNotNamed = commandError(
  'user_not_named',
  400,
  (users: number) => `there are ${users} users: name the one who uploads with --user`,
);
