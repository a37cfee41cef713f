import { useEffect, useRef, useState } from 'preact/hooks';
import type { Profile } from '../../../src/sales/files/profile.js';
import { profileFaults } from '../../../src/sales/files/profile-faults.js';
import { type Table, textOf } from '../../../src/sales/files/table.js';
import { nameOf, RestaurantOptions, useAccount } from '../account.js';
import { amountText, countText } from '../amounts.js';
import { put } from '../api/service.js';
import { Notice } from '../components/notice.js';
import { isDate, shortDate } from '../dates.js';
import { type Field, FIELD_NAMES, labelOf, PAYMENTS } from '../fields.js';
import { errorText } from '../use-load.js';
import { withoutOption } from './file-days.js';
import {
  type Draft,
  draftFor,
  firstDraft,
  headingsOf,
  OTHERS,
  profileOf,
  type RowKind,
  textsBelow,
  titlesOf,
} from './mapping-draft.js';
import { type ChosenFile, type PagePlan, reader } from './reader.js';

const ROWS_SHOWN = 12;
const DAYS_SHOWN = 5;

interface MappingProps {
  readonly chosen: ChosenFile;
  readonly tables: readonly Table[];
  readonly use: (profile: Profile) => void;
}

/** Lets a person tell what the columns of an unknown file are, with a preview in words. */
export function Mapping({ chosen, tables, use }: MappingProps) {
  const filled = tables.filter(({ rows }) => rows.length > 0);
  const [sheet, setSheet] = useState(0);
  const table = filled[sheet] ?? filled[0]!;
  const [draft, setDraft] = useState(() => firstDraft(table));
  const [told, setTold] = useState({ restaurant: '', date: '' });
  const [name, setName] = useState(() => nameFor(chosen.file.name));
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => form.current?.focus(), []);
  const headings = headingsOf(table, draft.headings);
  const change = (changes: Partial<Draft>): void => setDraft((all) => ({ ...all, ...changes }));
  const choices = { draft, headings, table, change };
  const profile = profileOf(draft, name, headings);
  const sheets = filled.map((each, index) => [String(index), each.sheet] as const);
  const chooseSheet = (value: string): void => {
    setSheet(Number(value));
    setDraft(firstDraft(filled[Number(value)]!));
  };
  return (
    <div class="mapping" ref={form} role="group" aria-label="What its columns are" tabIndex={-1}>
      {filled.length > 1 && (
        <div class="fields">
          <Chooser label="Sheet" value={String(sheet)} options={sheets} choose={chooseSheet} />
        </div>
      )}
      <FirstRows
        table={table}
        headings={draft.headings}
        choose={(row) => setDraft(draftFor(table, row))}
      />
      <Places {...choices} />
      <FieldChoices {...choices} />
      <PaymentChoices {...choices} />
      <RowChoices {...choices} />
      <ToldChoices draft={draft} told={told} setTold={setTold} />
      <Preview chosen={chosen} profile={profile} told={told} />
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
  readonly table: Table;
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
  ['0', 'from 9 to 10'],
  ['1', 'from 8 to 9'],
];
const NIGHTS: Options = [
  ['', 'are not in the file'],
  ['next', 'are written as 24 and more'],
  ['0', 'have the date of the new day'],
  ...[3, 4, 5, 6].map(
    (hour) => [String(hour), `have the date of the evening, until ${hour}:00`] as const,
  ),
];
const AMOUNTS: Options = [
  ['', 'as the cells show'],
  ['.', 'with a point before the cents'],
  [',', 'with a comma before the cents'],
  ['cents', 'as whole numbers of cents'],
];

const columnsOf = (headings: readonly string[]) => headings.map((each) => [each, each] as const);

/** Shows a list for each choice. */
function Choosers({
  choices,
  change,
}: Pick<DraftProps, 'change'> & { choices: readonly Choice[] }) {
  return (
    <>
      {choices.map(([label, value, options, changes]) => (
        <Chooser
          key={label}
          {...{ label, value, options }}
          choose={(each) => change(changes(each))}
        />
      ))}
    </>
  );
}

function Places({ draft, headings, table, change }: DraftProps) {
  const inTable: Options = [
    ['file_name', 'in the name of the file'],
    ...(table.sheet === '' ? [] : [['sheet_name', 'in the name of the sheet'] as const]),
    ...titlesOf(table, draft.headings).map((each) => [`title:${each}`, `above: ${each}`] as const),
    ...headings.map((each) => [`column:${each}`, `column ${each}`] as const),
  ];
  const places: Options = [['told', 'said at each import'], ...inTable];
  const hours: Options = [['', 'Choose…'], ...columnsOf(headings)];
  const choices: Choice[] = [
    ['Restaurant', draft.restaurant, places, (restaurant) => ({ restaurant })],
    ['Date', draft.date, places, (date) => ({ date })],
    ['Dates are written', draft.order, ORDERS, (order) => ({ order: order as Draft['order'] })],
    ['Hour', draft.hour, hours, (hour) => ({ hour })],
    ['Hour 9 is', draft.first, FIRST_HOURS, (first) => ({ first: first as Draft['first'] })],
    ['Hours after midnight', draft.night, NIGHTS, (night) => ({ night })],
    ['Till', draft.till, [['', 'not in the file'], ...inTable], (till) => ({ till })],
    [
      'Amounts are written',
      draft.amounts,
      AMOUNTS,
      (amounts) => ({ amounts: amounts as Draft['amounts'] }),
    ],
  ];
  return (
    <fieldset class="fields">
      <legend>Where and when</legend>
      <Choosers choices={choices} change={change} />
    </fieldset>
  );
}

interface SeveralProps {
  readonly label: string;
  readonly nothing: string;
  readonly columns: readonly string[];
  readonly options: Options;
  readonly set: (columns: readonly string[]) => void;
}

/** Offers a further column once one is chosen. */
function Several({ label, nothing, columns, options, set }: SeveralProps) {
  return (
    <>
      {[...columns, ''].map((value, index) => (
        <Chooser
          key={index}
          label={index === 0 ? label : `${label}, and`}
          value={value}
          options={[['', index === 0 ? nothing : 'nothing else'], ...options]}
          choose={(chosen) =>
            set([...columns, ''].with(index, chosen).filter((each) => each !== ''))
          }
        />
      ))}
    </>
  );
}

/** Several columns add up to a figure, and one with a minus is taken away. */
function FieldChoices({ draft, headings, change }: DraftProps) {
  const options = [
    ...columnsOf(headings),
    ...headings.map((each) => [`-${each}`, `less ${each}`] as const),
  ];
  return (
    <fieldset class="fields">
      <legend>Figures</legend>
      {FIELD_NAMES.map((field) => (
        <Several
          key={field}
          label={labelOf(field)}
          nothing="not in the file"
          columns={draft.fields[field]}
          options={options}
          set={(columns) => change({ fields: { ...draft.fields, [field]: columns } })}
        />
      ))}
    </fieldset>
  );
}

const PAYMENT_OPTIONS: Options = [
  ['', 'Choose…'],
  ...PAYMENTS.map((payment) => [payment, labelOf(payment)] as const),
];

/** Asks how an amount was paid where another column says it, as `Card Brand` does. */
function PaymentChoices({ draft, headings, table, change }: DraftProps) {
  const none: Options = [['', 'no'], ...columnsOf(headings)];
  const { paid, paidBy, payments } = draft;
  const texts = paidBy === '' ? [] : [...textsBelow(table, draft.headings, paidBy), OTHERS];
  const choices: Choice[] = [
    ['Is there an amount paid in different ways?', paid, none, (column) => ({ paid: column })],
  ];
  const ways: Options = [['', 'Choose…'], ...columnsOf(headings)];
  const set = (column: string): Partial<Draft> => ({ paidBy: column, payments: {} });
  if (paid !== '') choices.push(['How it was paid is told by', paidBy, ways, set]);
  if (paid !== '')
    for (const text of texts.filter((each) => each !== ''))
      choices.push([
        text === OTHERS ? 'Anything else' : text,
        payments[text] ?? '',
        PAYMENT_OPTIONS,
        (payment) => ({ payments: changed<Field>(payments, text, payment as Field | '') }),
      ]);
  return (
    <fieldset class="fields">
      <legend>Payments in rows</legend>
      <Choosers choices={choices} change={change} />
    </fieldset>
  );
}

/** Sets what a text stands for, or takes it out. */
function changed<Value extends string>(
  all: Readonly<Record<string, Value>>,
  text: string,
  value: Value | '',
): Record<string, Value> {
  const others = Object.entries(all).filter(([each]) => each !== text);
  return Object.fromEntries(value === '' ? others : [...others, [text, value]]);
}

const KINDS: Options = [
  ['', 'Choose…'],
  ['read', 'read'],
  ['order', 'read, each is an order'],
  ['skip', 'leave out'],
  ['total', 'is the total'],
];

function RowChoices({ draft, headings, table, change }: DraftProps) {
  const columns = columnsOf(headings);
  const texts = draft.rows === '' ? [] : [...textsBelow(table, draft.headings, draft.rows), OTHERS];
  const told = (text: string): string => (text === '' ? '(empty)' : text);
  const kinds = texts.map((text): Choice => [
    text === OTHERS ? 'Anything else' : told(text),
    draft.kinds[text] ?? '',
    KINDS,
    (kind) => ({ kinds: changed<RowKind>(draft.kinds, text, kind as RowKind | '') }),
  ]);
  const which: Choice = [
    'Which rows are read is told by',
    draft.rows,
    [['', 'all rows'], ...columns],
    (rows) => ({ rows, kinds: {} }),
  ];
  return (
    <fieldset class="fields">
      <legend>Rows</legend>
      <Several
        label="Rows of one hour add up, told apart by"
        nothing="an hour has one row"
        columns={draft.addUp}
        options={columns}
        set={(addUp) => change({ addUp })}
      />
      <Several
        label="Empty cells repeat the one above in"
        nothing="no column"
        columns={draft.fillDown}
        options={columns}
        set={(fillDown) => change({ fillDown })}
      />
      <Choosers choices={[which, ...kinds]} change={change} />
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
  readonly chosen: ChosenFile;
  readonly profile: Profile | undefined;
  readonly told: Told;
}

/** Says in words what would come out of the file by the profile so far. */
function Preview(props: PreviewProps) {
  const plan = usePreview(props);
  if (!props.profile)
    return <Notice>Choose the hour and the turnover to see what comes out.</Notice>;
  if (!plan) return <Notice>Reading…</Notice>;
  const { problems, unassigned } = plan.files[0]!;
  if (problems.length > 0)
    return (
      <Notice kind="warn">
        {problems.slice(0, 3).map((problem) => (
          <p key={problem}>{withoutOption(problem)}</p>
        ))}
      </Notice>
    );
  const codes = unassigned.join(', ');
  if (codes !== '')
    return <Notice kind="good">It can be read. Its restaurants are chosen next: {codes}.</Notice>;
  const more = plan.count - DAYS_SHOWN;
  return (
    <Notice kind="good" role="status">
      {plan.days.slice(0, DAYS_SHOWN).map((day) => (
        <DayInWords key={`${day.restaurantId} ${day.date}`} day={day} />
      ))}
      {more > 0 && <p>and {countText(more, 'more day')}</p>}
      {plan.files[0]!.notes.map((note) => (
        <p key={note} class="note">
          {note}
        </p>
      ))}
    </Notice>
  );
}

function DayInWords({ day }: { day: PagePlan['days'][number] }) {
  const account = useAccount();
  const { restaurantId, date, records, turnover = '0', fields } = day;
  const hasPayments = PAYMENTS.some((payment) => fields.includes(payment));
  return (
    <p>
      {countText(records.length, 'hour')} of {nameOf(account, String(restaurantId))} on{' '}
      {isDate(date) ? shortDate(date) : date}, turnover {amountText(turnover)}
      {!hasPayments && ', payments not in the file'}
    </p>
  );
}

/** Reads the file anew whenever a choice has changed; undefined until it has been read. */
function usePreview({ chosen, profile, told }: PreviewProps): PagePlan | undefined {
  const { restaurants } = useAccount();
  const [plan, setPlan] = useState<PagePlan>();
  useEffect(() => {
    setPlan(undefined);
    if (!profile) return undefined;
    let isCurrent = true;
    const around = {
      restaurants: restaurants.map((each) => ({ id: Number(each.restaurant_id), name: each.name })),
      machines: new Map<string, number>(),
      latestDate: '9999-12-31',
    };
    const show = (made: PagePlan): void => {
      if (isCurrent) setPlan(made);
    };
    void reader.preview({ ...chosen, ...told }, profile, around).then(show);
    return () => void (isCurrent = false);
  }, [JSON.stringify([profile, told])]);
  return plan;
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
