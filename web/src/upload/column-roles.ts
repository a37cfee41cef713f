import type { Groups } from '../components/choices.js';
import { FIELD_NAMES, labelOf, PAYMENTS } from '../fields.js';

export type Options = Groups[number][1];

const FIGURES: Options = FIELD_NAMES.map((field) => [field, labelOf(field)]);
const PLACES = 'Date,Hour,Hour from 1,Date and hour,Restaurant,Till'.split(',');

const OF_ROWS: Options = [
  ['rows', 'Says which rows count'],
  ['payment', 'Says how it was paid'],
  ['add_up', 'Tells rows of an hour apart'],
];

/** What may be chosen above a column; a figure with a minus is taken off. */
export const ROLES: Groups = [
  ['', [['', 'not used']]],
  ['When and where', PLACES.map((place) => [place.toLowerCase(), place])],
  ['Adds to', FIGURES],
  ['Rows', OF_ROWS],
  ['Is taken off', FIGURES.map(([field, label]) => [`-${field}`, `less: ${label}`])],
];

/** What the texts of a column of each of these roles may mean. */
export const MEANINGS: Readonly<Record<'rows' | 'payment', Options>> = {
  rows: [
    ['read', 'read'],
    ['order', 'read, each is an order'],
    ['skip', 'leave out'],
    ['total', 'is the total'],
    ['', 'ask'],
  ],
  payment: [['', 'ask'], ...PAYMENTS.map((payment) => [payment, labelOf(payment)] as const)],
};

/** Stands for every text of a column that is not listed. */
export const OTHERS = '*';

/** What headings suggest, and names of payments in cells; the first that fits counts. */
export const PROPOSALS: readonly (readonly [role: string, pattern: RegExp])[] = [
  ['date', /^(?:tran|business|sales?)?\W*(?:date|day|datum|data|fecha|yyyymmdd)(?! of)\b/i],
  ['hour', /^(?:hours?|time|start|stunde|hora|(?:uhr)?zeit|jam|\d+ minute)\b(?! zone)/i],
  [
    'restaurant',
    /^(?:outlet|place|store|shop|restaurant|location|branch|tenant|tentna?me|filial|loja)/i,
  ],
  ['till', /^(?:till|terminal|termnum|pos|machine|register|kasse)\b/i],
  ['gto', /^net (?:sales|revenue)$/i],
  ['gto', /^(?:turnover|gto|umsatz|sales(?:.amount)?|revenue|gross sales)$/i],
  ['gto', /^(?:total|amount|paid)$/i],
  [
    'orders',
    /^(?:total )?#? ?(?:orders|bills|transactions|trancnt|checks|receipts|tickets|bons)$/i,
  ],
  ['pax', /^(?:total )?(?:covers|guests|pax|persons)$/i],
  ['gst', /^(?:tax(?:es)?|gst|vat|mwst)$/i],
  ['svc', /^(?:service charges?|svc)$/i],
  ['discount', /^discounts?$/i],
  ['cash', /^(?:cash|bar)$/i],
  ['nets', /^nets$/i],
  ['visa', /visa/i],
  ['master', /master/i],
  ['amex', /amex|american express/i],
  ['voucher', /^(?:vouchers?|gift cards?)$/i],
];
