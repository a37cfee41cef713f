import { useEffect, useRef, useState } from 'preact/hooks';
import { isGiven, type Profile } from '../../../src/sales/files/profile.js';
import { type Table as FileTable, textOf } from '../../../src/sales/files/table.js';
import { useAccount } from '../account.js';
import { Switch } from '../components/choices.js';
import { Notice } from '../components/notice.js';
import { RestaurantChoice } from '../components/restaurant-picker.js';
import { errorText, useLoad } from '../use-load.js';
import { MEANINGS, OTHERS, ROLES } from './column-roles.js';
import { amountOf, isSame } from './file-days.js';
import { FirstDayTable } from './first-day-table.js';
import * as drafts from './mapping-draft.js';
import { Chooser, DayField, Questions, TurnoverField } from './questions.js';
import { type ChosenFile, reader } from './reader.js';
import type { Said } from './uploads.js';

const ROWS_SHOWN = 12;

interface MappingProps {
  readonly chosen: ChosenFile;
  readonly tables: readonly FileTable[];
  readonly use: (profile: Profile, said: Said) => void;
}

/** Asks what each column of an unknown file is, and shows what its first day then is. */
export function Mapping(props: MappingProps) {
  const { chooseSheet, ...form } = useForm(props);
  const sheets = props.tables.map(({ sheet }) => [sheet, sheet] as const);
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => frame.current?.focus(), []);
  return (
    <div class="mapping" ref={frame} role="group" aria-label="Map the columns" tabIndex={-1}>
      <p class="note">
        No file like this is known yet. Say above each column what it is, and compare the result
        with the till’s own report.
      </p>
      {sheets.length > 1 && (
        <Chooser
          label="Sheet"
          value={form.table.sheet}
          groups={[['', sheets]]}
          choose={chooseSheet}
        />
      )}
      <div class="beside">
        <Columns {...form} />
        <Result {...form} />
      </div>
      <Elsewhere {...form} />
      <Keep {...form} />
    </div>
  );
}

/** Keeps what was chosen and said, and reads the file anew whenever that has changed. */
function useForm({ chosen, tables, use }: MappingProps) {
  const file = chosen.file.name;
  const [table, setTable] = useState(tables[0]!);
  const [draft, setDraft] = useState(() => drafts.firstDraft(table, file));
  const [said, setSaid] = useState<Said>({});
  const [typed, setTyped] = useState('');
  const { currency } = useAccount();
  const profile = drafts.profileOf(draft, table, nameFor(file));
  // Until a person says it, the restaurant is that of the file.
  const given = { ...chosen, restaurant: 'This restaurant', ...said };
  const { value: preview } = useLoad(
    async () => profile && reader.preview(given, profile, currency),
    [JSON.stringify([profile, said])],
  );
  return {
    ...{ table, draft, file, said, profile, preview, typed, setTyped, use },
    change: (changes: Partial<drafts.Draft>) => setDraft({ ...draft, ...changes }),
    say: (more: Said) => setSaid({ ...said, ...more }),
    chooseSheet: (sheet: string) => {
      const next = tables.find((each) => each.sheet === sheet)!;
      setTable(next);
      setDraft(drafts.firstDraft(next, file));
    },
  };
}

type FormProps = Omit<ReturnType<typeof useForm>, 'chooseSheet'>;

const nameFor = (file: string): string =>
  file
    .toLowerCase()
    .replace(/\.\w+$/, '')
    .replace(/[^a-z]+/g, '-')
    .replace(/^-+|-+$/g, '') || 'source';

/** Which columns a question is about, by the option that answers it. */
const ASKED: Readonly<Record<string, RegExp>> = {
  ...{ date: /^date/, hour: /hour/, restaurant: /^restaurant/, till: /^till/, rows: /^rows/ },
  ...{ decimal: /^-?gto/, cents: /^-?gto/, split: /^payment/, add_up: /^add_up/ },
};

/** The first rows of the file, with one choice above each column. */
function Columns(props: FormProps) {
  const { table, draft, change, preview } = props;
  const { headings, roles } = draft;
  const isAsked = (role: string): boolean =>
    !!preview?.questions.some(({ option }) => ASKED[option.split('.')[0]!]?.test(role));
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="First rows of the file">
      <table>
        <thead>
          <tr>
            <th scope="col">Headings</th>
            {drafts.headingsOf(table, headings).map((name, index) => (
              <th key={index} scope="col">
                <Chooser
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
        <Rows {...props} />
      </table>
    </div>
  );
}

function Rows({ table, draft: { headings, roles }, change, file }: FormProps) {
  return (
    <tbody>
      {table.rows.slice(0, Math.max(ROWS_SHOWN, headings + 5)).map(({ line, cells }, row) => (
        <tr key={line}>
          <th scope="row">
            <label>
              <input
                type="radio"
                name="headings"
                aria-label={`Line ${line} has the headings`}
                checked={row === headings}
                onChange={() => change(drafts.draftFor(table, row, file))}
              />{' '}
              {line}
            </label>
          </th>
          {cells.map((cell, index) => (
            <td key={index} class={`left ${row >= headings && roles[index] ? 'used' : ''}`}>
              {row === headings ? <strong>{textOf(cell)}</strong> : textOf(cell)}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}

/** Asks for what no column says. */
function Elsewhere(props: FormProps) {
  const { table, draft, change, file, said, say } = props;
  const has = (role: string): boolean => draft.roles.some((each) => each.startsWith(role));
  const place = (which: 'restaurant' | 'date', label: string) => (
    <Chooser
      label={label}
      value={draft[which]}
      groups={[['', drafts.placesOf(table, draft.headings, file, which === 'date')]]}
      choose={(chosen) => change({ [which]: chosen })}
    />
  );
  return (
    <div class="fields">
      {!has('restaurant') && place('restaurant', 'The restaurant is')}
      {!has('restaurant') && draft.restaurant === 'given' && (
        <RestaurantChoice
          label="Restaurant"
          value={said.restaurant ?? ''}
          choose={(restaurant) => say({ restaurant })}
        />
      )}
      {!has('date') && place('date', 'The day is')}
      {!has('date') && draft.date === 'given' && (
        <DayField value={said.date} set={(date) => say({ date })} />
      )}
      <Cells {...props} />
    </div>
  );
}

/** Asks how cells are written, and what single texts of a column mean, where the file needs it. */
function Cells({ table, draft, change }: FormProps) {
  const empty = drafts.sparseColumns(draft, table);
  return (
    <>
      {empty.length > 0 && (
        <Switch
          label={`Empty cells repeat the one above (${empty.join(', ')})`}
          isOn={draft.isFilledDown}
          set={(isFilledDown) => change({ isFilledDown })}
        />
      )}
      {drafts.areWhole(draft, table) && (
        <Switch
          label="Amounts are whole numbers of cents"
          isOn={draft.isInCents}
          set={(isInCents) => change({ isInCents })}
        />
      )}
      {drafts
        .textColumns(draft, table)
        .map(({ role, column, texts }) =>
          texts.map((text) => (
            <Chooser
              key={`${column} ${text}`}
              label={`${column} ${text === OTHERS ? 'anything else' : text || '(empty)'}`}
              value={drafts.meaningOf(draft, { role, column }, text)}
              groups={[['', MEANINGS[role]]]}
              choose={(meaning) =>
                change({ meanings: { ...draft.meanings, [`${column}\n${text}`]: meaning } })
              }
            />
          )),
        )}
    </>
  );
}

/** The first day as it would be uploaded: hours down, figures across, totals below. */
function Result({ draft, change, profile, preview, typed, setTyped }: FormProps) {
  if (!profile) return <Notice>Choose which column is the hour, and which the turnover.</Notice>;
  if (!preview) return <Notice>Reading…</Notice>;
  const { first, problems, questions, notes, hasTotal } = preview;
  const said = [...notes, ...(hasTotal ? ['The file’s own total is the sum of its rows.'] : [])];
  return (
    <div class="result">
      {problems.slice(0, 3).map((problem) => (
        <Notice key={problem} kind="warn">
          {problem}
        </Notice>
      ))}
      <Questions
        questions={questions}
        answer={(answer) => change({ answers: [...draft.answers, answer] })}
      />
      {draft.answers.length > 0 && (
        <button type="button" class="link" onClick={() => change({ answers: [] })}>
          Ask again
        </button>
      )}
      {first && <FirstDayTable first={first} />}
      {first && (
        <TurnoverField
          label="Turnover of this day by the till’s own report"
          value={typed}
          read={first.totals.gto}
          set={setTyped}
        />
      )}
      {said.map((note) => (
        <p key={note} class="note">
          {note}
        </p>
      ))}
    </div>
  );
}

/** Uses the profile for this file, and keeps it for files like it once a day of it was proven. */
function Keep(form: FormProps) {
  const { hasAllRestaurants } = useAccount();
  const [name, setName] = useState(() => nameFor(form.file));
  const [problem, setProblem] = useState('');
  const { first, isProven } = resultOf(form);
  const start = (isKept: boolean) => (): void =>
    void keep({ ...form, name, isKept }).catch((error: unknown) => setProblem(errorText(error)));
  return (
    <div class="controls">
      <button type="button" class="primary" disabled={!first} onClick={start(false)}>
        Use this mapping
      </button>
      {hasAllRestaurants && (
        <>
          <button type="button" disabled={!isProven} onClick={start(true)}>
            Remember it for files like this
          </button>
          <label>
            as{' '}
            <input
              value={name}
              maxLength={60}
              onInput={({ currentTarget }) => setName(currentTarget.value)}
            />
          </label>
          {first && !isProven && <span class="note">It needs the turnover of the day above.</span>}
        </>
      )}
      {problem !== '' && <span role="alert">{problem}</span>}
    </div>
  );
}

/** Returns the first day if the file can be read, and whether its turnover is the one that was typed. */
function resultOf({ preview, typed }: FormProps) {
  const isRead = preview && preview.problems.length + preview.questions.length === 0;
  const first = isRead ? preview.first : undefined;
  return { first, isProven: first !== undefined && isSame(typed, first.totals.gto) };
}

async function keep({ name, isKept, ...form }: FormProps & { name: string; isKept: boolean }) {
  const { profile, preview, said, typed, file, use } = form;
  const { first, isProven } = resultOf(form);
  const { date } = first!;
  const made: Profile = {
    ...{ ...profile!, name },
    control: preview!.hasTotal ? 'file' : isGiven(profile!.date) ? 'given' : 'none',
    ...(isProven && { proof: { file, date, turnover: amountOf(typed)! } }),
  };
  if (isKept) await reader.save(made);
  reader.make(made);
  use(made, { ...said, ...(isProven && { turnover: { date, typed } }) });
}
