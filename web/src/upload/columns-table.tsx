import type { Question } from '../../../src/sales/files/question.js';
import { type Table, textOf } from '../../../src/sales/files/table.js';
import { Select } from '../components/choices.js';
import { ROLES } from './column-roles.js';
import { type Draft, draftFor, headingsOf } from './mapping-draft.js';

const ROWS_SHOWN = 12;

interface ColumnsTableProps {
  readonly table: Table;
  readonly draft: Draft;
  readonly change: (changes: Partial<Draft>) => void;
  readonly preview: { readonly questions: readonly Question[] } | undefined;
  /** The name of the file. */
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
                  isAsked={isAsked(roles[index]!)}
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
