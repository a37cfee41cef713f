import { useEffect, useState } from 'preact/hooks';
import { type Plan, planUploads } from '../../../src/sales/files/add-up.js';
import type { Profile } from '../../../src/sales/files/profile.js';
import { profileFaults } from '../../../src/sales/files/profile-faults.js';
import { readSalesFile } from '../../../src/sales/files/read-sales-file.js';
import { type Table, textOf } from '../../../src/sales/files/table.js';
import { nameOf, type Restaurant, RestaurantOptions, useAccount } from '../account.js';
import { amountText, countText } from '../amounts.js';
import { put } from '../api/service.js';
import { Notice } from '../components/notice.js';
import { isDate, shortDate } from '../dates.js';
import { type Field, FIELD_NAMES, labelOf } from '../fields.js';
import { errorText } from '../use-load.js';
import { turnoverOfRecords } from './file-days.js';
import { type Draft, draftFor, firstDraft, headingsOf, profileOf } from './mapping-draft.js';

const ROWS_SHOWN = 12;
const DAYS_SHOWN = 5;

interface MappingProps {
  readonly file: File;
  readonly tables: readonly Table[];
  readonly use: (profile: Profile) => void;
}

/** Lets a person tell what the columns of an unknown file are, with a preview in words. */
export function Mapping({ file, tables, use }: MappingProps) {
  const filled = tables.filter(({ rows }) => rows.length > 0);
  const [sheet, setSheet] = useState(0);
  const table = filled[sheet] ?? filled[0]!;
  const [draft, setDraft] = useState(() => firstDraft(table));
  const [told, setTold] = useState({ restaurant: '', date: '' });
  const [name, setName] = useState(() => nameFor(file.name));
  const headings = headingsOf(table, draft.headings);
  const change = (changes: Partial<Draft>): void => setDraft((all) => ({ ...all, ...changes }));
  const profile = profileOf(draft, name, headings);
  const sheets = filled.map((each, index) => [String(index), each.sheet] as const);
  const chooseSheet = (value: string): void => {
    setSheet(Number(value));
    setDraft(firstDraft(filled[Number(value)]!));
  };
  return (
    <div class="mapping">
      {filled.length > 1 && (
        <Chooser label="Sheet" value={String(sheet)} options={sheets} choose={chooseSheet} />
      )}
      <FirstRows
        table={table}
        headings={draft.headings}
        choose={(row) => setDraft(draftFor(table, row))}
      />
      <Places
        draft={draft}
        headings={headings}
        change={change}
        sheets={filled.length > 1 || table.sheet !== ''}
      />
      <FieldChoices draft={draft} headings={headings} change={change} />
      <RowChoices draft={draft} headings={headings} table={table} change={change} />
      <ToldChoices draft={draft} told={told} setTold={setTold} />
      <Preview file={file} profile={profile} told={told} />
      <Keep {...{ name, setName, profile, use }} />
    </div>
  );
}

const nameFor = (file: string): string =>
  file
    .toLowerCase()
    .replace(/\.\w+$/, '')
    .replace(/[^a-z]+/g, '-')
    .replace(/^-+|-+$/g, '') || 'source';

interface ChooserProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly choose: (value: string) => void;
}

function Chooser({ label, value, options, choose }: ChooserProps) {
  return (
    <label>
      {label}
      <select aria-label={label} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {options.map(([each, text]) => (
          <option key={each} value={each} selected={each === value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

interface FirstRowsProps {
  readonly table: Table;
  readonly headings: number;
  readonly choose: (row: number) => void;
}

function FirstRows({ table, headings, choose }: FirstRowsProps) {
  return (
    <>
      <p class="note">Choose the row with the headings; the rows above it are not read.</p>
      <div class="scroll" tabIndex={0} role="region" aria-label="First rows of the file">
        <table>
          <tbody>
            {table.rows.slice(0, Math.max(ROWS_SHOWN, headings + 4)).map(({ line, cells }, row) => (
              <tr key={line} class={row < headings ? 'soft' : ''}>
                <th scope="row">
                  <label>
                    <input
                      type="radio"
                      name="headings"
                      checked={row === headings}
                      onChange={() => choose(row)}
                    />{' '}
                    {line}
                  </label>
                </th>
                {cells.map((cell, index) => (
                  <td key={index} class="left">
                    {row === headings ? <strong>{textOf(cell)}</strong> : textOf(cell)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

interface DraftProps {
  readonly draft: Draft;
  readonly headings: readonly string[];
  readonly change: (changes: Partial<Draft>) => void;
}

type Options = readonly (readonly [value: string, label: string])[];
type Choice = [
  label: string,
  value: string,
  options: Options,
  changes: (chosen: string) => Partial<Draft>,
];

const ORDERS: Options = [
  ['', 'in one way only'],
  ['dmy', 'day first'],
  ['mdy', 'month first'],
  ['ymd', 'year first'],
];
const FIRST_HOURS: Options = [
  ['0', '0: hour 9 begins at 9'],
  ['1', '1: hour 9 ends at 9'],
];
const NEXT_DAY: Options = [
  ['', 'are not there'],
  ['next', 'belong to the next day'],
];
const DECIMALS: Options = [
  ['', 'as the cells show'],
  ['.', 'begin with a point'],
  [',', 'begin with a comma'],
];

const columnsOf = (headings: readonly string[]) => headings.map((each) => [each, each] as const);

function Places({ draft, headings, change, sheets }: DraftProps & { readonly sheets: boolean }) {
  const columns = headings.map((each) => [`column:${each}`, `column ${each}`] as const);
  const places: Options = [
    ['told', 'said at each import'],
    ['file_name', 'in the name of the file'],
    ...(sheets ? [['sheet_name', 'in the name of the sheet'] as const] : []),
    ...columns,
  ];
  const named = columnsOf(headings);
  const choices: Choice[] = [
    ['Restaurant', draft.restaurant, places, (restaurant) => ({ restaurant })],
    ['Date', draft.date, places, (date) => ({ date })],
    ['Dates are written', draft.order, ORDERS, (order) => ({ order: order as Draft['order'] })],
    ['Hour', draft.hour, [['', 'Choose…'], ...named], (hour) => ({ hour })],
    ['First hour', draft.first, FIRST_HOURS, (first) => ({ first: first as Draft['first'] })],
    [
      'Hours from 24 on',
      draft.nextDay ? 'next' : '',
      NEXT_DAY,
      (value) => ({ nextDay: value !== '' }),
    ],
    ['Till', draft.till, [['', 'not in the file'], ...named], (till) => ({ till })],
    ['Decimals', draft.decimal, DECIMALS, (sign) => ({ decimal: sign as Draft['decimal'] })],
  ];
  return (
    <fieldset class="fields">
      <legend>Where and when</legend>
      {choices.map(([label, value, options, changes]) => (
        <Chooser
          key={label}
          {...{ label, value, options }}
          choose={(each) => change(changes(each))}
        />
      ))}
    </fieldset>
  );
}

/** Offers a further column once one is chosen: several add up, and one with a minus is taken away. */
function FieldChoices({ draft, headings, change }: DraftProps) {
  const options = [
    ...columnsOf(headings),
    ...headings.map((each) => [`-${each}`, `less ${each}`] as const),
  ];
  const set = (field: Field, index: number, value: string): void => {
    const columns = draft.fields[field].with(index, value).filter((each) => each !== '');
    change({ fields: { ...draft.fields, [field]: columns } });
  };
  return (
    <fieldset class="fields">
      <legend>Figures</legend>
      {FIELD_NAMES.map((field) => {
        const columns = draft.fields[field];
        return [...columns, ''].map((value, index) => (
          <Chooser
            key={`${field}${index}`}
            label={index === 0 ? labelOf(field) : `${labelOf(field)}, and`}
            value={value}
            options={[['', index === 0 ? 'not in the file' : 'nothing else'], ...options]}
            choose={(each) =>
              index < columns.length
                ? set(field, index, each)
                : change({ fields: { ...draft.fields, [field]: [...columns, each] } })
            }
          />
        ));
      })}
    </fieldset>
  );
}

function RowChoices({ draft, headings, table, change }: DraftProps & { readonly table: Table }) {
  const at =
    table.rows[draft.headings]?.cells.findIndex((cell) => textOf(cell) === draft.rows) ?? -1;
  const below = table.rows.slice(draft.headings + 1).map(({ cells }) => textOf(cells[at]));
  const texts = at < 0 ? [] : [...new Set(below)].slice(0, 40);
  const all = [['', 'all rows'] as const, ...columnsOf(headings)];
  return (
    <fieldset class="fields">
      <legend>Rows</legend>
      <Chooser
        label="Rows of one hour add up, told apart by"
        value={draft.addUp}
        options={[['', 'an hour has one row'], ...columnsOf(headings)]}
        choose={(addUp) => change({ addUp })}
      />
      <Chooser
        label="Which rows are read is told by"
        value={draft.rows}
        options={all}
        choose={(rows) => change({ rows, kinds: {} })}
      />
      {texts.map((text) => (
        <Chooser
          key={text}
          label={text === '' ? '(empty)' : text}
          value={draft.kinds[text] ?? ''}
          options={[
            ['', 'Choose…'],
            ['read', 'read'],
            ['skip', 'leave out'],
            ['total', 'is the total'],
          ]}
          choose={(kind) => change({ kinds: { ...draft.kinds, [text]: kind as 'read' } })}
        />
      ))}
    </fieldset>
  );
}

interface Told {
  readonly restaurant: string;
  readonly date: string;
}

interface ToldProps {
  readonly draft: Draft;
  readonly told: Told;
  readonly setTold: (told: Told) => void;
}

function ToldChoices({ draft, told, setTold }: ToldProps) {
  if (draft.restaurant !== 'told' && draft.date !== 'told') return null;
  return (
    <fieldset class="fields">
      <legend>For the preview</legend>
      {draft.restaurant === 'told' && (
        <label>
          Restaurant of this file
          <select
            aria-label="Restaurant of this file"
            onChange={({ currentTarget }) => setTold({ ...told, restaurant: currentTarget.value })}
          >
            <option value="">Choose…</option>
            <RestaurantOptions chosen={[told.restaurant]} />
          </select>
        </label>
      )}
      {draft.date === 'told' && (
        <label>
          Day of this file
          <input
            type="date"
            value={told.date}
            onChange={({ currentTarget }) => setTold({ ...told, date: currentTarget.value })}
          />
        </label>
      )}
    </fieldset>
  );
}

interface PreviewProps {
  readonly file: File;
  readonly profile: Profile | undefined;
  readonly told: Told;
}

/** Says in words what would come out of the file by the profile so far. */
function Preview(props: PreviewProps) {
  const plan = usePlan(props);
  if (!plan) return <Notice>Choose the hour and the turnover to see what comes out.</Notice>;
  const { problems = [], unassigned = [] } = plan.files[0] ?? {};
  if (problems.length > 0)
    return (
      <Notice kind="warn">
        {problems.slice(0, 3).map((problem) => (
          <p key={problem}>{problem}</p>
        ))}
      </Notice>
    );
  const codes = unassigned.join(', ');
  if (codes !== '')
    return <Notice kind="good">It can be read. Its restaurants are chosen next: {codes}.</Notice>;
  return (
    <Notice kind="good" role="status">
      {plan.days.slice(0, DAYS_SHOWN).map((day) => (
        <DayInWords key={`${day.restaurantId} ${day.date}`} day={day} />
      ))}
      {plan.days.length > DAYS_SHOWN && (
        <p>and {countText(plan.days.length - DAYS_SHOWN, 'more day')}</p>
      )}
    </Notice>
  );
}

function DayInWords({ day }: { day: Plan['days'][number] }) {
  const account = useAccount();
  const { restaurantId, date, records, hasPayments } = day;
  return (
    <p>
      {countText(records.length, 'hour')} of {nameOf(account, String(restaurantId))} on{' '}
      {isDate(date) ? shortDate(date) : date}, turnover{' '}
      {amountText(turnoverOfRecords(records) ?? '0')}
      {!hasPayments && ', payments not in the file'}
    </p>
  );
}

/** Reads the file anew whenever a choice has changed. */
function usePlan({ file, profile, told }: PreviewProps): Plan | undefined {
  const { restaurants } = useAccount();
  const [plan, setPlan] = useState<Plan>();
  useEffect(() => {
    let isCurrent = true;
    const show = async (): Promise<void> => {
      const made = profile && (await planBy(profile, file, told, restaurants));
      if (isCurrent) setPlan(made);
    };
    void show();
    return () => void (isCurrent = false);
  }, [JSON.stringify([profile, told])]);
  return plan;
}

async function planBy(
  profile: Profile,
  file: File,
  { restaurant, date }: Told,
  restaurants: readonly Restaurant[],
): Promise<Plan> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const told = { ...(restaurant && { restaurant }), ...(date && { date }) };
  const options = { profiles: [profile], profile: profile.name, told };
  const read = await readSalesFile({ name: file.name, bytes }, options);
  return planUploads([read], {
    restaurants: restaurants.map((each) => ({ id: Number(each.restaurant_id), name: each.name })),
    machines: new Map(),
    latestDate: '9999-12-31',
  });
}

interface KeepProps {
  readonly name: string;
  readonly setName: (name: string) => void;
  readonly profile: Profile | undefined;
  readonly use: (profile: Profile) => void;
}

/** Uses the profile for this file, and keeps it for files like it where the user may. */
function Keep({ name, setName, profile, use }: KeepProps) {
  const { hasAllRestaurants } = useAccount();
  const [problem, setProblem] = useState<string>();
  const keep = (made: Profile): void =>
    void keepProfile(name, made).then(
      () => use(made),
      (error: unknown) => setProblem(errorText(error)),
    );
  return (
    <div class="controls">
      <button
        type="button"
        class="primary"
        disabled={!profile}
        onClick={() => profile && use(profile)}
      >
        Read this file so
      </button>
      {hasAllRestaurants && (
        <>
          <button type="button" disabled={!profile} onClick={() => profile && keep(profile)}>
            Remember this for files like it
          </button>
          <label>
            as{' '}
            <input
              value={name}
              maxLength={60}
              onInput={({ currentTarget }) => setName(currentTarget.value)}
            />
          </label>
        </>
      )}
      {problem !== undefined && <span role="alert">{problem}</span>}
    </div>
  );
}

/** Saves a profile for everybody; its name is in the address. */
async function keepProfile(name: string, profile: Profile): Promise<void> {
  const body = Object.fromEntries(Object.entries(profile).filter(([option]) => option !== 'name'));
  const [fault] = profileFaults(body);
  if (fault) throw new Error(`${fault.path} ${fault.text}`);
  await put(`/api/v1/sales/file-profiles/${encodeURIComponent(name)}`, { profile: body });
}
