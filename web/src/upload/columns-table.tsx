import type { Question } from '../../../src/sales/files/question.js';
import { type Table, textOf } from '../../../src/sales/files/table.js';
import { type Groups, Select } from '../components/choices.js';
import { FIELD_NAMES, labelOf, PAYMENTS } from '../fields.js';
import { type Draft, draftFor, headingsOf } from './mapping-draft.js';

export type Options = Groups[number][1];

const FIGURES: Options = FIELD_NAMES.map((field) => [field, labelOf(field)]);
const PLACES = 'Date,Hour,Hour from 1,Date and hour,Restaurant,Till'.split(',');

const OF_ROWS: Options = [
  ['rows', 'Says which rows count'],
  ['payment', 'Says how it was paid'],
  ['add_up', 'Tells rows of an hour apart'],
];

const CONTAINED: Options = ['gst', 'svc'].flatMap((field) => [
  [`${field},-gto`, `${labelOf(field)}, contained in the turnover`],
  [`${field}?`, `${labelOf(field)}: ask whether it is contained`],
]);

/** What may be chosen above a column: one role, or two; a figure with a minus is taken off. */
export const ROLES: Groups = [
  ['', [['', 'not used']]],
  ['When and where', PLACES.map((place) => [place.toLowerCase(), place])],
  ['Adds to', FIGURES],
  ['Contained', CONTAINED],
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

const ROWS_SHOWN = 12;

interface ColumnsTableProps {
  readonly table: Table;
  readonly draft: Draft;
  readonly change: (changes: Partial<Draft>) => void;
  readonly preview: { readonly questions: readonly Question[] } | undefined;
  readonly file: string;
}

/** Which columns a question is about, by the option that answers it. */
const ASKED: Readonly<Record<string, RegExp>> = {
  ...{ date: /^date/, hour: /hour/, restaurant: /^restaurant/, till: /^till/, rows: /^rows/ },
  ...{ decimal: /^-?gto/, cents: /^-?gto/, split: /^payment/, add_up: /^add_up/ },
};

/** The first rows of the file, with one choice above each column. */
export function ColumnsTable({ table, draft, change, preview, file }: ColumnsTableProps) {
  const { headings, roles } = draft;
  const isAsked = (role: string): boolean =>
    !!preview?.questions.some(({ option }) => ASKED[option.split('.')[0]!]?.test(role));
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="First rows of the file">
      <table>
        <thead>
          <tr>
            <th scope="col">Headings</th>
            {headingsOf(table, headings).map((name, index) => (
              <th key={index} scope="col">
                <Select
                  isBare
                  label={`${name || 'This column'} is`}
                  value={roles[index]!}
                  groups={name === '' ? ROLES.slice(0, 1) : ROLES}
                  isAsked={roles[index]!.endsWith('?') || isAsked(roles[index]!)}
                  choose={(role) => change({ roles: roles.with(index, role) })}
                />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.slice(0, Math.max(ROWS_SHOWN, headings + 5)).map(({ line, cells }, row) => (
            <tr key={line} class={row === headings ? 'headings' : ''}>
              <th scope="row">
                <label>
                  <input
                    type="radio"
                    name="headings"
                    aria-label={`Line ${line} has the headings`}
                    checked={row === headings}
                    onChange={() => change(draftFor(table, row, file))}
                  />{' '}
                  {line}
                </label>
              </th>
              {cells.map((cell, index) => (
                <td key={index} class={`left ${row >= headings && roles[index] ? 'used' : ''}`}>
                  {textOf(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
