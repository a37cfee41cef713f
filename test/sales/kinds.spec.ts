import fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import { planUploads } from '../../src/sales/files/add-up.js';
import type { Profile } from '../../src/sales/files/profile.js';
import { profileFaults } from '../../src/sales/files/profile-faults.js';
import { readSalesFile } from '../../src/sales/files/read-sales-file.js';
import { NO_FIELDS } from '../support/records.js';

type Changes = Partial<Omit<Profile, 'fields'>> & { fields?: Partial<Profile['fields']> };

/** A file with the columns Date, Hour and Sales of restaurant 101, unless a test says otherwise. */
const profileOf = ({ fields, ...changes }: Changes): Profile => ({
  name: 'source',
  restaurant: { from: 'told' },
  date: { column: 'Date' },
  hour: { column: 'Hour' },
  ...changes,
  fields: { ...NO_FIELDS, gto: 'Sales', ...fields },
});

interface Given {
  readonly name?: string;
  readonly date?: string;
  /** Chooses the profile by its name, as for files without headings. */
  readonly isChosen?: boolean;
}

/** Reads a file as page and command line do: its days as `101 2025-10-15: 9 100.5`, or why not. */
async function outcomeOf(
  file: string | Uint8Array,
  changes: Changes = {},
  { name = 'export.csv', date, isChosen = false }: Given = {},
): Promise<{ days: string[]; problems: string; notes: string }> {
  const profile = profileOf(changes);
  expect(profileFaults({ ...profile, name: undefined })).toEqual([
    { path: 'name', text: 'is not an option' },
  ]);
  const bytes = typeof file === 'string' ? strToU8(file) : file;
  const told = { restaurant: '101', ...(date !== undefined && { date }) };
  const read = await readSalesFile(
    { name, bytes },
    { profiles: [profile], given: told, ...(isChosen && { profile: 'source' }) },
  );
  const { days, files } = planUploads([read], {
    restaurants: [
      { id: 101, name: 'Harbour Grill' },
      { id: 111, name: 'Orchard Noodles' },
    ],
    latestDate: '2026-12-01',
  });
  const { problems, questions, notes, unassigned } = files[0]!;
  return {
    days: days.map(({ restaurantId, date: day, records }) => {
      const hours = records.map(({ hour, gto, ...others }) => {
        const isShown = ([field, value]: [string, unknown]): boolean =>
          value !== 0 && field !== 'restaurant_id' && field !== 'date';
        const more = Object.entries(others).filter(isShown);
        const figures = more.map(([field, value]) => ` ${field} ${String(value)}`);
        return `${String(hour)} ${String(gto)}${figures.join('')}`;
      });
      return `${restaurantId} ${day}: ${hours.join(', ')}`;
    }),
    problems: [...problems, ...questions.map(({ text }) => text), ...unassigned].join('\n'),
    notes: notes.join('\n'),
  };
}

const lines = (...rows: string[]): string => rows.join('\n');
const HEADINGS = 'Date;Hour;Sales';
const hours = (...texts: string[]): string =>
  lines(HEADINGS, ...texts.map((text, index) => `2025-10-15;${text};${index + 1}.50`));
const SPANISH =
  'enero feb mar abr may jun jul ago sep octubre nov dic ene f m a y j l g s o n d'.split(' ');
const dates = (...texts: string[]): string =>
  lines(HEADINGS, ...texts.map((text, index) => `${text};${index + 9};${index + 1}.50`));
const amounts = (...texts: string[]): string =>
  lines(HEADINGS, ...texts.map((text, index) => `2025-10-15;${index + 9};${text}`));

type Kind = [
  what: string,
  file: string | Uint8Array | (() => Uint8Array),
  result: string | string[] | RegExp,
  changes?: Changes,
  given?: Given,
];

const check = async (...[, file, result, changes, given]: Kind): Promise<void> => {
  const found = await outcomeOf(typeof file === 'function' ? file() : file, changes, given);
  if (result instanceof RegExp) {
    expect(found.problems).toMatch(result);
    expect(found.days).toEqual([]);
  } else
    expect({ days: found.days, problems: found.problems }).toEqual({
      days: [result].flat(),
      problems: '',
    });
};

const DAY = '101 2025-10-15:';

describe('Hours', () => {
  test.each<Kind>([
    ['ranges', hours('10:00 - 10:59', '11:00 - 11:59'), `${DAY} 10 1.5, 11 2.5`],
    ['ranges without minutes', hours('10-11', '23-24'), `${DAY} 10 1.5, 23 2.5`],
    ['ranges of four digits', hours('1000-1100', '2300-2400'), `${DAY} 10 1.5, 23 2.5`],
    ['ranges in words', hours('10h to 11h', '11 h bis 12 h', '12 to 13'), `${DAY} 10 1.5, 11 2.5, 12 3.5`],
    ['ranges with am and pm', hours('9AM-10AM', '11 AM – 12 PM', '12-1 pm', '11:00 pm - 12:00 am'), `${DAY} 9 1.5, 11 2.5, 12 3.5, 23 4.5`],
    ['am and pm in short', hours('9a', '12p', '1:00p', '10 p.m.'), `${DAY} 9 1.5, 12 2.5, 13 3.5, 22 4.5`],
    ['a narrow blank before pm', hours('9:00\u202fAM', '1:00\u202fPM'), `${DAY} 9 1.5, 13 2.5`],
    ['half hours', hours('10:00', '10:30', '11:00-11:30', '11:30-12:00'), `${DAY} 10 4, 11 8`],
    ['quarter hours of four digits', hours('1000', '1015', '1030', '1045', '1100'), `${DAY} 10 12, 11 5.5`],
    ['quarter hours with am and pm', hours('11:45 AM', '12:00 PM', '12:15 PM'), `${DAY} 11 1.5, 12 6`],
    ['hours 1 to 24', hours('1', '12', '24'), `${DAY} 0 1.5, 11 2.5, 23 3.5`, { hour: { column: 'Hour', first: 1 } }],
    ['hours 1 to 24 that nobody told', hours('1', '12', '24'), /is 24 from 23:00 to 24:00 \(first: 1\), or the first hour of the next day/],
    ['ends of hours, told', lines('Date;Hour ending;Sales', '2025-10-15;10:00;1.50', '2025-10-15;24:00;2.50'), `${DAY} 9 1.5, 23 2.5`, { hour: { column: 'Hour ending', first: 1 } }],
    ['24:00 as the next day', hours('23:00', '24:00', '25:00'), [`${DAY} 23 1.5`, '101 2025-10-16: 0 2.5, 1 3.5'], { hour: { column: 'Hour', next_day: true } }],
    ['24:00 that nobody told', hours('23:00', '24:00'), /is 24:00 from 23:00 to 24:00/],
    ['two hours in a row', hours('10:00', '11:00-13:00'), /11:00-13:00 is not an hour/],
    ['a clock of 12 hours without am and pm', hours('11:00', '12:00', '1:00', '2:00'), /hour 1 of 2025-10-15 follows hour 12: is it of the afternoon/],
    ['seconds', hours('10:00:00', '11:00:00.000'), `${DAY} 10 1.5, 11 2.5`],
    ['a time in an hour of a workbook is no text', hours('0.25', '0.75'), /0\.75 is not an hour/],
    ['after midnight, with the date of the evening', hours('22:00', '23:00', '00:00', '01:00'), /hour 0 of 2025-10-15 follows hour 23: .*or of the next day \(day_begins\)\?/],
    ['after midnight, told', hours('22:00', '23:00', '00:00', '01:00'), [`${DAY} 22 1.5, 23 2.5`, '101 2025-10-16: 0 3.5, 1 4.5'], { hour: { column: 'Hour', day_begins: 6 } }],
    ['after midnight, with its own date', hours('22:00', '23:00', '00:00', '01:00'), `${DAY} 0 3.5, 1 4.5, 22 1.5, 23 2.5`, { hour: { column: 'Hour', day_begins: 0 } }],
    ['after midnight in am and pm', hours('11 PM', '12 AM'), /hour 0 of 2025-10-15 follows hour 23/],
    ['newest first', hours('23:00', '22:00', '12:00', '1:00'), `${DAY} 1 4.5, 12 3.5, 22 2.5, 23 1.5`],
    ['a clock of 12 hours that was closed at one', hours('11:00', '12:00', '5:00', '6:00'), /hour 5 of 2025-10-15 follows hour 12/],
    ['a clock of 12 hours in ranges', hours('11-12', '5-6'), /hour 5 of 2025-10-15 follows hour 11/],
    ['a morning that is not quite in order', hours('6:00', '8:00', '7:00', '9:00'), `${DAY} 6 1.5, 7 3.5, 8 2.5, 9 4.5`],
    ['after midnight, though 24 and more was told', hours('23:00', '00:00'), /hour 0 of 2025-10-15 follows hour 23/, { hour: { column: 'Hour', next_day: true } }],
    ['hundreds as numbers', hours('0', '100', '1100', '2300'), `${DAY} 0 1.5, 1 2.5, 11 3.5, 23 4.5`],
    ['a bakery, told', hours('3:00', '5:00', '9:00', '12:00'), `${DAY} 3 1.5, 5 2.5, 9 3.5, 12 4.5`, { hour: { column: 'Hour', day_begins: 0 } }],
    ['halves of East Asia, and words before', hours('오전 9:00', '下午1:00', '14:00'), /오전 9:00 is not an hour/],
    ['another sign between', hours('16:00～17:00', '18時台'), `${DAY} 16 1.5, 18 2.5`],
    ['noon in letters', hours('11:00 AM', '12:00 NN'), /12:00 NN is not an hour/],
    ['hours in Chinese', hours('11时', '12點'), `${DAY} 11 1.5, 12 2.5`],
    ['a date beside it, of the next day', lines(HEADINGS, '2025-10-15;2025-10-15 23:10;1.50', '2025-10-15;10/16/2025 00:15;2.50'), /2025-10-15 23:10 is not an hour/],
    ['a date beside it, of another day', lines(HEADINGS, '2025-10-15;2025-10-14 23:10;1.50'), /2025-10-14 23:10 is not an hour/],
    ['a date beside it, as spreadsheets put it there', lines(HEADINGS, '2025-10-15;1899-12-30 10:00;2.50'), /1899-12-30 10:00 is not an hour/],
    ['a whole day at midnight', lines(HEADINGS, '2025-10-15;00:00;1.50'), /every row is of hour 0: are these the sums of whole days\? .*or say that the hour is right/],
    ['a whole day at midnight, told', lines(HEADINGS, '2025-10-15;00:00;1.50'), `${DAY} 0 1.5`, { hour: { column: 'Hour', day_begins: 0 } }],
    ['whole days at midnight, though told', lines(HEADINGS, '2025-10-15;00:00;1.50', '2025-10-16;00:00;2.50'), /every row is of hour 0/, { hour: { column: 'Hour', day_begins: 0 } }],
    ['dates alone, as of sums by day', lines('When;Sales', '2025-10-15 00:00;1.50', '2025-10-16 00:00;2.50'), /every row is of hour 0: are these the sums of whole days\?/, { date: { column: 'When' }, hour: { column: 'When' } }],
  ])('%s', check); // prettier-ignore
});

describe('Dates', () => {
  test.each<Kind>([
    ['yyyymmdd', dates('20251015'), `${DAY} 9 1.5`],
    ['ddmmyyyy', dates('15102025'), `${DAY} 9 1.5`],
    ['dd.mm.yyyy', dates('15.10.2025', '16.10.2025'), [`${DAY} 9 1.5`, '101 2025-10-16: 10 2.5']],
    ['a point behind', dates('2025. 10. 15.', '15. 10. 2025'), `${DAY} 9 1.5, 10 2.5`],
    ['one digit', dates('2025-1-5', '2025/1/15'), ['101 2025-01-05: 9 1.5', '101 2025-01-15: 10 2.5']],
    ['a time beside it', dates('2025-10-15T00:00:00', '2025-10-15 00:00'), `${DAY} 9 1.5, 10 2.5`],
    ['a day of the week', dates('Wed, 15 Oct 2025', '15/10/2025 (Wed)'), `${DAY} 9 1.5, 10 2.5`],
    ['names of months', dates('15-Oct-25', 'Oct 15, 2025', '15 October 2025', '15OCT2025'), `${DAY} 9 1.5, 10 2.5, 11 3.5, 12 4.5`],
    ['six digits', dates('201125'), /201125 may be year first or day first/],
    ['six digits, told', dates('201125', '211125'), ['101 2025-11-20: 9 1.5', '101 2025-11-21: 10 2.5'], { date: { column: 'Date', order: 'dmy' } }],
    ['one that may be either', dates('05/06/2025'), /may be day first or month first/],
    ['one that tells the others', dates('05/06/2025', '13/06/2025'), ['101 2025-06-05: 9 1.5', '101 2025-06-13: 10 2.5']],
    ['two digits of the year', dates('15/10/25'), /15\/10\/25 may be year first or day first/],
    ['another zone', lines(HEADINGS, '2025-10-15T09:00:00Z;2025-10-15T09:00:00Z;1.50'), /2025-10-15T09:00:00Z has a zone \(Z\)/],
    ['another century', dates('15/10/1925'), /is not a date of this century/],
    ['months in other languages', dates('15 Okt 2025', '15 oct. 2025'), /15 Okt 2025 is not a date/],
    ['months in other languages, told', dates('15 de octubre de 2025', '1 ene 2025'), ['101 2025-10-15: 9 1.5', '101 2025-01-01: 10 2.5'], { date: { column: 'Date', months: SPANISH } }],
    ['a day of the week in any language', dates('2025/10/15(水)', '15.10.2025 Mi', 'mié 15/10/2025'), `${DAY} 9 1.5, 10 2.5, 11 3.5`],
    ['fourteen digits', lines(HEADINGS, '20251015093005;x;1.50'), `${DAY} 9 1.5`, { hour: { column: 'Date' } }],
    ['a year of Buddha', dates('15/10/2568', '2568-10-15'), /15\/10\/2568 is not a date of this century/],
    ['in Chinese and Korean', dates('2025年10月15日', '2025年10月15日 星期三', '2025년 10월 15일'), /2025年10月15日 is not a date/],
    ['two digits of the year before', dates('25-10-15'), /25-10-15 may be year first or day first/],
    ['no such day', dates('31/11/2025'), /is not a date of this century/],
    ['a range of days', dates('15/10/2025 - 16/10/2025'), /is not a date/],
  ])('%s', check); // prettier-ignore

  const moments = (...texts: string[]): string =>
    lines('When;Sales', ...texts.map((text, index) => `${text};${index + 1}.50`));
  const BOTH: Changes = { date: { column: 'When' }, hour: { column: 'When' } };
  test.each<Kind>([
    ['date and time', moments('2025-10-15 10:00', '15/10/2025 11:30 AM', 'Oct 15, 2025 1:00 PM'), `${DAY} 10 1.5, 11 2.5, 13 3.5`, BOTH],
    ['date and digits', moments('20251015 1000', '20251015 1100'), `${DAY} 10 1.5, 11 2.5`, BOTH],
    ['date and hour', moments('2025-10-15 9', '2025-10-15 10'), `${DAY} 9 1.5, 10 2.5`, BOTH],
    ['from and to', moments('2025-10-15 10:00 - 2025-10-15 11:00', '2025-10-15 23:00 - 2025-10-16 00:00'), /is not an hour/, BOTH],
    ['from and to on one date', moments('2025-10-15 10:00-11:00', '15.10.2025 11:00 - 12:00'), `${DAY} 10 1.5, 11 2.5`, BOTH],
    ['from and to on other dates', moments('2025-10-15 10:00 - 2025-10-16 11:00'), /is not an hour/, BOTH],
  ])('in one cell with the hour: %s', check); // prettier-ignore

  const FROM_NAME: Changes = { date: { from: 'file_name' } };
  const TITLE: Changes = { date: { title: 'Date' } };
  const plain = (...titles: string[]): string => lines(...titles, 'Hour;Sales', '9;1.50');
  test.each<Kind>([
    ['the name', plain(), `${DAY} 9 1.5`, FROM_NAME, { name: 'Sales 15 Oct 2025 (2).csv' }],
    ['digits in the name', plain(), `${DAY} 9 1.5`, FROM_NAME, { name: 'OUT1_20251015_1.csv' }],
    ['a name with the number of a machine', plain(), `${DAY} 9 1.5`, FROM_NAME, { name: 'H39100001_20251015.txt' }],
    ['six digits in the name', plain(), /the name of the file has no date/, { date: { from: 'file_name', order: 'dmy' } }, { name: 'OUT201125.csv' }],
    ['a title', plain('Outlet 101', 'Date;15/10/2025', 'Printed;16/10/2025 00:10'), `${DAY} 9 1.5`, TITLE],
    ['a title with the times of the night', plain('Date: 15/10/2025 06:00 to 16/10/2025 05:59'), /2 dates/, TITLE],
    ['a footer', lines(plain(), 'Business date: 14/10/2025'), /line 3: Business date: 14\/10\/2025 is not a row/, { date: { from: 'given' } }, { date: '2025-10-15' }],
    ['a week in the name', plain(), /2 dates: figures of several days/, FROM_NAME, { name: 'sales_2025-10-09_2025-10-15.csv' }],
    ['a name of a machine and the day', plain(), `${DAY} 9 1.5`, FROM_NAME, { name: 'Store 12 - 15-10-2025.csv' }],
    ['a name of a place like a month', plain(), `${DAY} 9 1.5`, FROM_NAME, { name: 'Marina-1_2025-10-15.csv' }],
    ['a name with the moment of the export', plain(), /the name of the file has no date/, FROM_NAME, { name: 'Sales_20251015231502.csv' }],
    ['a title with a short year', plain('Date: 15-Oct-25'), /the title has no date/, { date: { title: 'Date', order: 'dmy' } }],
    ['a title beside another that begins so', plain('Date:;15/10/2025', 'Date printed:;16/10/2025'), /the title has 2 dates/, TITLE],
    ['a title beside another that begins otherwise', plain('Business date:;15/10/2025', 'Date printed:;16/10/2025'), `${DAY} 9 1.5`, { date: { title: 'Business' } }],
    ['no place, without its turnover', plain(), /what is the turnover of restaurant 101 on 2025-10-15 by the till's own report\?/, { date: { from: 'given' } }, { date: '2025-10-15' }],
  ])('in %s', check); // prettier-ignore
});

describe('Amounts', () => {
  const three = `${DAY} 9 1250.5, 10 12.25, 11 1234567.5`;
  test.each<Kind>([
    ['of England', amounts('1,250.50', '12.25', '1,234,567.50'), three],
    ['of Germany', amounts('1.250,50', '12,25', '1.234.567,50'), three],
    ['of France', amounts('1\u00a0250,50', '12,25', '1\u202f234\u202f567,50'), three],
    ['of Switzerland', amounts("1'250.50", '12.25', '1’234’567.50'), three],
    ['of India', amounts('1,250.50', '12.25', '12,34,567.50'), three],
    ['with signs', amounts('S$1,250.50', 'S$ 12.25', '1,234,567.50S$'), three],
    ['with another sign', amounts('Rs. 1,250.50', '12.25', '1,234,567.50'), three],
    ['with two signs', amounts('Rs. 1,250.50', 'RM12.25'), /RM12\.25 is in RM, and line 2 in Rs\./],
    ['with two signs, told', amounts('$1,250.50', 'S$ 12.25', '1,234,567.50'), three, { accept: ['S$'] }],
    ['with a euro behind', amounts('1.250,50 €', '12,25 €', '1.234.567,50€'), three],
    ['below zero in four ways', lines('Date;Hour;Sales;Off', '2025-10-15;9;10;-1.00', '2025-10-15;10;10;(2.00)', '2025-10-15;11;10;3.00-', '2025-10-15;12;10;-$4.00'),
      `${DAY} 9 10 discount 1, 10 10 discount 2, 11 10 discount 3, 12 10 discount 4`, { fields: { discount: '-Off' } }],
    ['credit and debit', amounts('10.00', '12.25 CR'), /12\.25 CR is not an amount/],
    ['with letters that are no currency', amounts('10.00', 'NEG 12.25'), /NEG 12\.25 is not an amount/],
    ['with a dash for the cents', amounts('10.50', '25.-'), /25\.- is not an amount/],
    ['with a dash for nothing', lines('Date;Hour;Sales;Tax', '2025-10-15;9;10.00; $ -   '), /\$ - is not an amount/, { fields: { gst: 'Tax' } }],
    ['with a dash for the turnover', amounts('10.50', '-'), /- is not an amount/],
    ['in thousands or decimals', amounts('250.000', '1.000'), /250\.000 may be 250 or 250000/],
    ['in thousands, told', amounts('250.000', '1.000'), `${DAY} 9 250000, 10 1000`, { decimal: ',' }],
    ['with a point and with a comma', amounts('12.50', '12,50'), /12,50 has a decimal comma, and other cells a decimal point/],
    ['as errors', amounts('12.50', '#REF!'), /#REF! is not an amount/],
    ['with an exponent', amounts('1.2E+05'), /1\.2E\+05 is not an amount/],
    ['that nobody has', amounts('n/a'), /n\/a is not an amount/],
    ['in cents', amounts('125050', '1225'), `${DAY} 9 1250.5, 10 12.25`, { cents: true }],
    ['in cents with a point', amounts('125050', '12.25'), /12\.25 is not a whole number of cents/, { cents: true }],
    ['with halves of people', lines('Date;Hour;Sales;Guests', '2025-10-15;9;10;2.5'), /2\.5 is not a whole number/, { fields: { pax: 'Guests' } }],
  ])('%s', check); // prettier-ignore
});

const utf16 = (text: string, isBig: boolean): Uint8Array => {
  const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le');
  return isBig ? bytes.swap16() : bytes;
};
const latin = (text: string): Uint8Array =>
  Uint8Array.from(text, (character) => character.charCodeAt(0));

describe('Texts', () => {
  const TWO = `${DAY} 9 1.5, 10 2.5`;
  const text = hours('9', '10');
  test.each<Kind>([
    ['with tabs', text.replaceAll(';', '\t'), TWO],
    ['with pipes', text.replaceAll(';', '|'), TWO],
    ['with commas', text.replaceAll(';', ','), TWO],
    ['that name their separator', `sep=;\r\n${text}`, TWO],
    ['with separators at the ends', text.replaceAll('\n', ';;\n'), TWO],
    ['of Mac', text.replaceAll('\n', '\r'), TWO],
    ['of DOS, with its end', `${text.replaceAll('\n', '\r\n')}\r\n\x1a`, TWO],
    ['with a mark', `\uFEFF${text}`, TWO],
    ['in UTF-16', utf16(text, false), TWO],
    ['in UTF-16, the other way round', utf16(text, true), TWO],
    ['in UTF-16 without a mark', utf16(text, false).slice(2), /is not text/],
    ['of Windows', latin(text.replace('Sales', 'Ventés')), /is not UTF-8/],
    ['of Windows, told', latin(text.replace('Sales', 'Ventés')), TWO, { encoding: 'windows-1252', fields: { gto: 'Ventés' } }],
    ['with a mark, though Windows was told', `\uFEFF${text.replace('Sales', 'Ventés')}`, TWO, { encoding: 'windows-1252', fields: { gto: 'Ventés' } }],
    ['with quotes and breaks in cells', lines('Date;Hour;Sales;"Remark\nof the ""till"""', '2025-10-15;9;1.50;"a;\nb"', '2025-10-15;10;2.50;'), TWO],
    ['with blank lines', text.replaceAll('\n', '\n\n;;\n'), TWO],
    ['with titles and a footer', lines('Sales by hour', 'Printed 16/10/2025', '', text, '', 'End of report'), TWO, { skip_lines: ['End of *'] }],
    ['with the total below', lines(text, 'Total;;4.00'), TWO],
    ['with a total that is another', lines(text, 'Total;;5.00'), /5\.00 is not the sum of the rows above/],
    ['with a heading in decomposed letters', text.replace('Sales', 'Ventés'.normalize('NFD')), TWO, { fields: { gto: 'Ventés' } }],
    ['with units below the headings', text.replace('Sales\n', 'Sales\n(y-m-d);(h);(SGD)\n'), /line 2: \(y-m-d\) \(h\) \(SGD\) is not a row/],
    ['with how many there are', lines(text, 'Showing 1 to 2 of 12 entries'), /line 4: Showing 1 to 2 of 12 entries is not a row/],
    ['with how many there are, told', lines(text, 'Showing 1 to 2 of 2 entries'), TWO, { skip_lines: ['Showing * entries'] }],
    ['with cells where none is expected', lines('Date;Hour;Sales;A;B;C', '2025-10-15;9;1.50;;;', ';;;x;y;z', '2025-10-15;10;2.50;;;'), /line 3: x y z is not a row/],
    ['with the zone above', lines('Time zone: UTC', text), /Time zone: UTC: what does UTC mean/],
    ['with thousands above', lines("Amounts in '000", text), /what does '000 mean/],
    ['with cents in a heading', text.replace('Sales', 'Sales (cents)'), /what does cents mean/, { fields: { gto: 'Sales (cents)' } }],
    ['on several pages', lines('Harbour Grill', 'Page 1 of 2', hours('9'), 'Page 2 of 2', 'Harbour Grill', HEADINGS, '2025-10-15;10;2.50'), TWO, { skip_lines: ['Page *', 'Harbour Grill'] }],
    ['on several pages of several restaurants', lines('Harbour Grill', hours('9'), 'Orchard Noodles', HEADINGS, '2025-10-15;10;2.50'), /line 4: Orchard Noodles is not a row/],
    ['with another restaurant between the rows', lines('Shop;Date;Hour;Sales', ';2025-10-15;9;1.50', 'Orchard Noodles;;;', ';2025-10-15;10;2.50'), /line 3: Orchard Noodles is not a row/],
    ['of fixed width', lines('Date        Hour   Sales', '2025-10-15  09     1,250.50', '2025-10-15  10       12.25', '2025-10-15  11       12.25'), /no profile knows its headings/],
    ['of fixed width, told', lines('Date        Hour   Sales', '2025-10-15  09     1,250.50', '2025-10-15  10       12.25'), `${DAY} 9 1250.5, 10 12.25`, { separator: ' ' }],
    ['in XML', '<Report><Row/></Report>', /is XML/],
    ['in XML of UTF-16', utf16('<?xml version="1.0"?><Report/>', false), /is XML/],
    ['in an archive of the web', 'MIME-Version: 1.0\nContent-Type: multipart/related', /is a web page/],
    ['with a title in brackets', `[Sales by hour]\n${text}`, TWO],
    ['whose first heading begins as a zip', text.replace('Date', 'PKDate'), TWO, { date: { column: 'PKDate' } }],
    ['on several pages, with their number in the title', lines('Harbour Grill   Page 1', hours('9'), 'Harbour Grill   Page 2', HEADINGS, '2025-10-15;10;2.50'), /line 4: Harbour Grill   Page 2 is not a row/],
    ['with another restaurant in two cells between the rows', lines('Shop;Date;Hour;Sales;Clerk', ';2025-10-15;9;1.50;', 'Store:;;;;Orchard Noodles', ';2025-10-15;10;2.50;'), /line 3: Store: Orchard Noodles is not a row/],
        ['in JSON lines', '{"hour":9,"gto":1}\n{"hour":10,"gto":2}', /is not JSON: /],
    ['in JSON with a name twice', '{"records":[{"hour":9,"gto":1,"gto":2}]}', /has the name records\/0\/gto twice/],
  ])('%s', check); // prettier-ignore
});

describe('Tables', () => {
  const CODES: Changes = { restaurant: { column: 'Outlet' } };
  const several = lines(
    'Outlet;Date;Hour;Sales',
    'Harbour Grill;2025-10-15;9;1.50',
    'Orchard Noodles;2025-10-15;9;2.50',
    'Harbour Grill;2025-10-16;9;3.50',
  );
  const merged = lines(
    'Outlet;Date;Hour;Sales',
    'Harbour Grill;2025-10-15;9;1.50',
    ';;10;2.50',
    'Orchard Noodles;;9;3.50',
  );
  const tenders = lines(
    'Date;Hour;Tender;Amount',
    '2025-10-15;9;Cash;10.00',
    '2025-10-15;9;VISA;20.50',
    '2025-10-15;9;GrabPay;5.00',
    '2025-10-15;10;Visa;7.00',
    '2025-10-15;10;TOTAL;7.00',
  );
  const TENDERS: Changes = {
    fields: { gto: 'Amount' },
    add_up: 'Tender',
    rows: { column: 'Tender', read: ['*'], skip: ['Total'] },
    split: {
      ...{ column: 'Amount', by: 'Tender', else: 'other' },
      into: { cash: 'cash', visa: 'visa' },
    },
  };
  const measures = lines(
    'Date;Hour;Measure;Value',
    '2025-10-15;9;Net sales;10.50',
    '2025-10-15;9;Tax;0.95',
    '2025-10-15;9;Covers;3',
    '2025-10-15;10;Net sales;7.00',
  );
  const MEASURES: Changes = {
    fields: { gto: null },
    add_up: 'Measure',
    split: {
      ...{ column: 'Value', by: 'Measure' },
      into: { 'net sales': 'gto', tax: 'gst', covers: 'pax' },
    },
  };
  const subtotals = lines(
    'Outlet;Date;Hour;Sales',
    'Harbour Grill;2025-10-15;9;1.50',
    'Harbour Grill;2025-10-15;10;2.50',
    'Subtotal Harbour Grill;;;4.00',
    'Orchard Noodles;2025-10-15;9;3.50',
    'Subtotal Orchard Noodles;;;3.50',
    'Total;;;7.50',
  );
  test.each<Kind>([
    ['of several restaurants and days', several, [`${DAY} 9 1.5`, '111 2025-10-15: 9 2.5', '101 2025-10-16: 9 3.5'], CODES],
    ['of the restaurant that was told', lines('Store: Harbour  Grill', HEADINGS, '2025-10-15;9;1.50'), `${DAY} 9 1.5`],
    ['of a restaurant that nobody knows', several.replace('Harbour Grill', 'Airport'), /Airport/, CODES],
    ['with merged keys', merged, /\(empty\) is not a date/, CODES],
    ['with a row for each tender', tenders, `${DAY} 9 35.5 cash 10 visa 20.5 other 5, 10 7 visa 7`, TENDERS],
    ['with a tender that nobody told', tenders, /GrabPay is a payment that the profile does not know/, { ...TENDERS, split: { column: 'Amount', by: 'Tender', into: { cash: 'cash', visa: 'visa' } } }],
    ['with a row for each measure', measures, `${DAY} 9 10.5 gst 0.95 pax 3, 10 7`, MEASURES],
    ['with a measure that nobody told', measures.replace('Tax', 'Tips'), /Tips is a payment/, MEASURES],
    ['with subtotals', subtotals, [`${DAY} 9 1.5, 10 2.5`, '111 2025-10-15: 9 3.5'], { ...CODES, rows: { column: 'Outlet', read: ['*'], skip: ['Subtotal *'], total: ['Total'] } }],
    ['with subtotals that nobody told', subtotals, /line 4, Date: \(empty\) is not a date/, CODES],
    ['with columns that add up, and one taken away', lines('Date;Hour;Food;Drinks;Tax', '2025-10-15;9;10.10;5.20;1.30'), `${DAY} 9 14 gst 1.3`, { fields: { gto: ['Food', 'Drinks', '-Tax'], gst: 'Tax' } }],
    ['with a heading twice', lines('Date;Hour;Sales;Sales', '2025-10-15;9;1.50;2.50'), /has the column Sales more than once/],
    ['with am and pm in a column', lines('Date;Hour;Half;Sales', '2025-10-15;9;AM;1.50', '2025-10-15;9;PM;2.50'), /lines 2 and 3 are both of 2025-10-15, hour 9/],
    ['with am and pm in a column, told', lines('Date;Hour;Half;Sales', '2025-10-15;9:00;AM;1.50', '2025-10-15;9:00;PM;2.50'), `${DAY} 9 1.5, 21 2.5`, { hour: { column: ['Hour', 'Half'] } }],
    ['with am in a column of mornings', lines('Date;Hour;Half;Sales', '2025-10-15;9:00;AM;1.50'), `${DAY} 9 1.5`],
    ['with am and pm in a column beside 24 hours', lines('Date;Hour;Half;Sales', '2025-10-15;9:00;AM;1.50', '2025-10-15;21:00;PM;2.50'), `${DAY} 9 1.5, 21 2.5`],
    ['with a payment that is like two others', lines('Date;Hour;Tender;Amount', '2025-10-15;9;Visa Debit;10.00', '2025-10-15;9;Visa;20.50'), `${DAY} 9 30.5 nets 10 visa 20.5`, { ...TENDERS, split: { column: 'Amount', by: 'Tender', into: { 'Visa*': 'visa', 'Visa Debit': 'nets' } } }],
    ['with one till that is called All', lines('Date;Hour;Till;Sales', '2025-10-15;9;All;1.50', '2025-10-15;10;All;2.50'), `${DAY} 9 1.5, 10 2.5`, { till: { column: 'Till' } }],
    ['with the sum of the channels, told', lines('Date;Hour;Channel;Sales', '2025-10-15;9;Dine in;1.50', '2025-10-15;9;Delivery;2.50', '2025-10-15;9;Total;4.00'), `${DAY} 9 4`, { add_up: 'Channel', rows: { column: 'Channel', read: ['*'], skip: ['Total'] } }],
    ['of receipts after midnight', lines('Date;Hour;Receipt;Sales', '2025-10-15;23:40;7;1.50', '2025-10-15;00:15;8;2.50'), /hour 0 of 2025-10-15 follows hour 23/, { add_up: 'Receipt' }],
    ['of receipts by a clock of 12 hours', lines('Date;Hour;Receipt;Sales', '2025-10-15;11:40;7;1.50', '2025-10-15;12:15;8;2.50', '2025-10-15;1:05;9;2.50'), /hour 1 of 2025-10-15 follows hour 12: is it of the afternoon/, { add_up: 'Receipt' }],
    ['of one channel after the other', lines('Date;Hour;Channel;Sales', '2025-10-15;0;A;1.50', '2025-10-15;23;A;1.50', '2025-10-15;0;B;1.50', '2025-10-15;23;B;1.50'), `${DAY} 0 3, 23 3`, { add_up: 'Channel' }],
    ['with hours down and days across', lines('Hour;15/10/2025;16/10/2025;17/10/2025', '9;1.50;2.50;3.50'), /no profile knows its headings/],
    ['of another source, with pipes', several.replaceAll(';', '|').replace('Sales', 'Net'), /columns are missing: Sales/, CODES],
    ['of whole days', lines('Date;Sales;Orders', '15/10/2025;100.50;20'), /columns are missing: Hour/],
  ])('%s', check); // prettier-ignore
});

type Cell =
  string | number | { readonly style?: number; readonly type?: string; readonly v: string };
/** A workbook whose styles 1 to 4 are a date, a time, `[h]:mm` and a date with its time. */
function workbook(
  sheets: Record<string, Cell[][]>,
  { isHidden = '', is1904 = '' }: { isHidden?: string; is1904?: string } = {},
): Uint8Array {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const xml = (text: string): Uint8Array => strToU8(`<?xml version="1.0"?>${text}`);
  const cell = (value: Cell, at: string): string => {
    if (typeof value === 'number') return `<c r="${at}"><v>${value}</v></c>`;
    if (typeof value === 'string') return `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;
    const { style, type, v } = value;
    return `<c r="${at}"${style ? ` s="${style}"` : ''}${type ? ` t="${type}"` : ''}><v>${v}</v></c>`;
  };
  const sheetXml = (rows: Cell[][]): string =>
    rows
      .map((row, y) => {
        const cells = row.map((value, x) =>
          value === '' ? '' : cell(value, `${'ABCDEFGH'[x]!}${y + 1}`),
        );
        return `<row r="${y + 1}">${cells.join('')}</row>`;
      })
      .join('');
  const names = Object.keys(sheets);
  const list = names.map(
    (name, index) =>
      `<sheet name="${name}" sheetId="${index + 1}"${name === isHidden ? ' state="hidden"' : ''} r:id="rId${index + 1}"/>`,
  );
  const links = names.map(
    (_name, index) =>
      `<Relationship Id="rId${index + 1}" Type="${relations}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
  );
  const formats = [14, 20, 164, 22].map((id) => `<xf numFmtId="${id}"/>`);
  return zipSync({
    '[Content_Types].xml': xml(
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    ),
    'xl/workbook.xml': xml(
      `<workbook xmlns="${main}" xmlns:r="${relations}"><workbookPr${is1904 && ` date1904="${is1904}"`}/><sheets>${list.join('')}</sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': xml(
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${links.join('')}<Relationship Id="rId99" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
    ),
    'xl/styles.xml': xml(
      `<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="164" formatCode="[h]:mm"/></numFmts><cellXfs count="5"><xf numFmtId="0"/>${formats.join('')}</cellXfs></styleSheet>`,
    ),
    ...Object.fromEntries(
      Object.values(sheets).map((rows, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        xml(`<worksheet xmlns="${main}"><sheetData>${sheetXml(rows)}</sheetData></worksheet>`),
      ]),
    ),
  });
}
const styled = (style: number, v: number | string): Cell => ({ style, v: String(v) });

describe('Workbooks', () => {
  const head: Cell[] = ['Date', 'Hour', 'Sales'];
  // 45945 is 15 October 2025.
  const good: Cell[][] = [
    head,
    [styled(1, 45945), styled(2, 0.375), 1.5],
    [styled(1, 45945), styled(2, 0.4375), 2.5],
  ];
  const TWO = `${DAY} 9 1.5, 10 2.5`;
  test.each<Kind>([
    ['with dates and times', () => workbook({ A: good }), TWO],
    ['with days as numbers', () => workbook({ A: [head, [45945, 9, 1.5]] }), /45945 is not a date/],
    ['with the hour as a number', () => workbook({ A: [head, [styled(1, 45945), 9, 1.5]] }), `${DAY} 9 1.5`],
    ['with hours as fractions', () => workbook({ A: [head, [styled(1, 45945), 0.25, 1.5]] }), /0\.25 is not an hour/],
    ['with an hour and minutes as a number', () => workbook({ A: [head, [styled(1, 45945), 9.15, 1.5]] }), /9\.15 is not an hour/],
    ['with 25 hours', () => workbook({ A: [head, [styled(1, 45945), styled(3, 25 / 24), 1.5]] }), /is 25:00 an hour of the next day \(next_day\)\?/],
    ['with 25 hours, told', () => workbook({ A: [head, [styled(1, 45945), styled(3, 25 / 24), 1.5]] }), '101 2025-10-16: 1 1.5', { hour: { column: 'Hour', next_day: true } }],
    ['with date and time in one cell', () => workbook({ A: [head, [styled(4, 45945.4375), styled(4, 45945.4375), 1.5]] }), `${DAY} 10 1.5`, { hour: { column: 'Date' } }],
    ['with dates in text', () => workbook({ A: [head, [{ type: 'd', v: '2025-10-15T00:00:00' }, '9', 1.5]] }), `${DAY} 9 1.5`],
    ['with numbers in text', () => workbook({ A: [head, ['15.10.2025', '9', '1.250,50'], ['15.10.2025', '10', 2]] }), `${DAY} 9 1250.5, 10 2`],
    ['that count from 1904', () => workbook({ A: [head, [styled(1, 45945 - 1462), styled(2, 0.375), 1.5]] }, { is1904: '1' }), `${DAY} 9 1.5`],
    ['that count from 1904, of another program', () => workbook({ A: [head, [styled(1, 45945 - 1462), styled(2, 0.25), 1.5]] }, { is1904: 'true' }), `${DAY} 6 1.5`],
    ['that count from 1904, with days as numbers', () => workbook({ A: [head, [45945 - 1462, 9, 1.5]] }, { is1904: '1' }), /is not a date/],
    ['with an error in a cell', () => workbook({ A: [[...head, 'Tax'], [styled(1, 45945), 9, 1.5, { type: 'e', v: '#REF!' }]] }), /line 2, Tax: #REF! is not an amount/, { fields: { gst: 'Tax' } }],
    ['with an error in another column', () => workbook({ A: [[...head, 'Average'], [styled(1, 45945), 9, 1.5, { type: 'e', v: '#DIV/0!' }]] }), `${DAY} 9 1.5`],
    ['with a truth for a figure', () => workbook({ A: [head, [styled(1, 45945), 9, { type: 'b', v: '0' }]] }), /FALSE is not an amount/],
    ['with receipts just before the hour', () => workbook({ A: [[...head, 'No'], [styled(1, 45945), styled(2, 0.49982638), 1.5, 1], [styled(1, 45945), styled(2, 0.5), 2.5, 2]] }), `${DAY} 11 1.5, 12 2.5`, { add_up: 'No' }],
    ['with receipts just before midnight', () => workbook({ A: [head, [styled(4, 45945.99982638), styled(4, 45945.99982638), 1.5]] }), `${DAY} 23 1.5`, { hour: { column: 'Date' } }],
    ['with midnight among dates with a time', () => workbook({ A: [head, [styled(4, 45945), styled(4, 45945), 1.5], [styled(4, 45945.0416666667), styled(4, 45945.0416666667), 2.5]] }), `${DAY} 0 1.5, 1 2.5`, { hour: { column: 'Date' } }],
    ['with a sheet for each till, and one of all, told', () => workbook({ '1': good, '2': good, Total: [head, [styled(1, 45945), 9, 3], [styled(1, 45945), 10, 5]] }), `${DAY} 9 3, 10 5`, { till: { from: 'sheet_name' }, skip_sheets: ['Total'] }],
        ['with several sheets', () => workbook({ A: good, B: [head, [styled(1, 45946), 9, 3.5]], Notes: [['x']] }), [TWO, '101 2025-10-16: 9 3.5']],
    ['with the same rows on two sheets', () => workbook({ A: good, B: good }), /is also in export\.csv/],
    ['with a hidden sheet', () => workbook({ A: good, Old: [head, [styled(1, 45946), 9, 3.5]] }, { isHidden: 'Old' }), TWO],
    ['of another source', () => workbook({ A: [['Date', 'Hour', 'Net'], [styled(1, 45945), 9, 1.5]] }), /columns are missing: Sales/],
    ['of another program', () => zipSync({ mimetype: strToU8('application/vnd.oasis.opendocument.spreadsheet'), 'content.xml': strToU8('<a/>') }), /is an OpenDocument file \(ods\)/],
    ['in binary', () => zipSync({ 'xl/workbook.bin': strToU8('x') }), /is a binary Excel file \(xlsb\)/],
    ['of Word', () => zipSync({ 'word/document.xml': strToU8('<a/>') }), /is a zip without a workbook/],
  ])('%s', check); // prettier-ignore

  test('a hidden sheet is named', async () => {
    const { notes } = await outcomeOf(
      workbook({ A: good, Old: [head, [styled(1, 45946), 9, 3.5]] }, { isHidden: 'Old' }),
    );
    expect(notes).toBe('sheet Old: not read, it is hidden');
  });
});

/** Ways in which tills write the same; a file has one of each. */
const SEPARATORS = [',', ';', '\t', '|'];
const LINE_ENDS = ['\n', '\r\n', '\r'];
const DATE_FORMS: ((year: string, month: string, day: string) => string)[] = [
  (year, month, day) => `${year}-${month}-${day}`,
  (year, month, day) => `${year}${month}${day}`,
  (year, month, day) => `${day}.${month}.${year}`,
  (year, month, day) => `${month}/${day}/${year}`,
  (year, month, day) => `${day}${month}${year}`,
  (year, month, day) => `${day}-${'JanFebMarAprMayJunJulAugSepOctNovDec'.slice(Number(month) * 3 - 3, Number(month) * 3)}-${year}`,
]; // prettier-ignore
const two = (number: number): string => String(number).padStart(2, '0');
const half = (hour: number): string => `${hour % 12 || 12}:00 ${hour % 24 < 12 ? 'AM' : 'PM'}`;
const HOUR_FORMS: ((hour: number) => string)[] = [
  String,
  two,
  (hour) => `${two(hour)}:00`,
  (hour) => `${two(hour)}00`,
  (hour) => `${hour}:00:00`,
  half,
  (hour) => `${two(hour)}:00-${two(hour + 1)}:00`,
  (hour) => `${two(hour)}:00 - ${two(hour)}:59`,
  (hour) => `${half(hour)} - ${half(hour + 1)}`,
  (hour) => `${two(hour)}00-${two(hour + 1)}00`,
];
const grouped = (cents: number, group: string, sign: string): string =>
  `${String(Math.floor(cents / 100)).replace(/\B(?=(\d{3})+$)/g, group)}${sign}${two(cents % 100)}`;
const AMOUNT_FORMS: ((cents: number) => string)[] = [
  (cents) => grouped(cents, '', '.'),
  (cents) => grouped(cents, ',', '.'),
  (cents) => grouped(cents, '.', ','),
  (cents) => grouped(cents, '\u00a0', ','),
  (cents) => grouped(cents, "'", '.'),
  (cents) => `$${grouped(cents, ',', '.')}`,
  (cents) => `${grouped(cents, '.', ',')} €`,
];
const ENCODINGS: ((text: string) => Uint8Array)[] = [
  strToU8,
  (text) => strToU8(`\uFEFF${text}`),
  (text) => utf16(text, false),
  (text) => utf16(text, true),
];

test('a stored profile with an option that is gone is rejected, as the file would be read otherwise', async () => {
  const profile = Object.assign(profileOf({}), { fill_down: ['Date'] });
  const bytes = strToU8(lines('Date;Hour;Sales', '2025-10-15;9;1.50'));
  const options = { profiles: [profile], given: { restaurant: '101' } };
  const { problems } = await readSalesFile({ name: 'export.csv', bytes }, options);
  expect(problems).toEqual([
    'its profile source has fill_down, which is no option: save it without',
  ]);
});

test('however a till writes them, the figures come out exactly, or the file is asked about', async () => {
  const rows = fc.uniqueArray(
    fc.record({
      day: fc.integer({ min: 1, max: 28 }),
      hour: fc.integer({ min: 0, max: 23 }),
      cents: fc.integer({ min: 0, max: 999_999_999 }),
    }),
    { minLength: 1, maxLength: 30, selector: ({ day, hour }) => day * 24 + hour },
  );
  let exact = 0;
  const property = fc.asyncProperty(
    rows,
    fc.constantFrom(...SEPARATORS),
    fc.constantFrom(...LINE_ENDS),
    fc.constantFrom(...DATE_FORMS),
    fc.constantFrom(...HOUR_FORMS),
    fc.constantFrom(...AMOUNT_FORMS),
    fc.constantFrom(...ENCODINGS),
    async (unsorted, separator, lineEnd, dateForm, hourForm, amountForm, encode) => {
      const sorted = [...unsorted].sort(
        (one, other) => one.day - other.day || one.hour - other.hour,
      );
      const table = sorted.map(({ day, hour, cents }) =>
        [dateForm('2025', '10', two(day)), hourForm(hour), amountForm(cents)]
          .map((cell) => `"${cell}"`)
          .join(separator),
      );
      const file = encode([`Date${separator}Hour${separator}Sales`, ...table].join(lineEnd));
      const { days, problems } = await outcomeOf(file);
      if (problems !== '') {
        expect(problems).toMatch(/may be|is it of the afternoon|every row is of hour 0/);
        expect(days).toEqual([]);
        return;
      }
      exact++;
      const found = days.flatMap((text) => {
        const [key, list = ''] = text.split(': ');
        return list.split(', ').map((each) => `${key} ${each}`);
      });
      expect(found).toEqual(
        sorted.map(({ day, hour, cents }) => `101 2025-10-${two(day)} ${hour} ${cents / 100}`),
      );
    },
  );
  await fc.assert(property, { numRuns: 500 });
  expect(exact).toBeGreaterThan(300);
});
