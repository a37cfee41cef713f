import { serviceError } from '../../src/http/errors/service-error.js';

export class NoCashCount extends serviceError({
  code: 'no_cash_count',
  status: 404,
  text: (restaurantId: number, date: string) =>
    `the drawers of restaurant ${restaurantId} were not counted on ${date}`,
}) {}

export class NotAnAuditor extends serviceError({
  code: 'not_an_auditor',
  status: 403,
  text: 'only auditors of the cash counts may read them all',
}) {}

export class NotCsv extends serviceError({
  code: 'not_csv',
  status: 415,
  text: 'send the file as text/csv',
}) {}

export class TooManyDrawers extends serviceError({
  code: 'too_many_drawers',
  status: 400,
  text: (max: number) => `lines must name at most ${max} drawers`,
  pointers: ['/lines'],
}) {}

export class CountedBeforeTheDay extends serviceError({
  code: 'counted_before_the_day',
  status: 400,
  text: (date: string) => `date (${date}) is in the future: the drawers are counted on the day`,
}) {}

export class CountedWhileClosed extends serviceError({
  code: 'counted_while_closed',
  status: 400,
  text: (restaurantId: number, date: string) =>
    `restaurant ${restaurantId} is closed on ${date}: there is nothing to count`,
}) {}
