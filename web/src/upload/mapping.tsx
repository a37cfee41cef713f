import { useEffect, useRef, useState } from 'preact/hooks';
import { isGiven, type Profile } from '../../../src/sales/files/profile.js';
import type { Table as FileTable } from '../../../src/sales/files/table.js';
import { useAccount } from '../account.js';
import { amountOf } from '../amounts.js';
import { Button } from '../components/button.js';
import { Notice } from '../components/card.js';
import { Select, Switch } from '../components/choices.js';
import { useLoad } from '../use-load.js';
import { ColumnsTable, MEANINGS, OTHERS } from './columns-table.js';
import { FirstDayTable } from './first-day-table.js';
import * as drafts from './mapping-draft.js';
import { GivenFields, Notes, Questions, TURNOVER_LABEL, TurnoverField } from './questions.js';
import * as reader from './reader.js';
import type { ChosenFile } from './reader-worker.js';
import type { Said } from './uploads.js';

interface MappingProps {
  readonly chosen: ChosenFile;
  readonly tables: readonly FileTable[];
  readonly use: (profile: Profile, said: Said) => void;
}

type TableProps = MappingProps & { readonly table: FileTable };

/** Asks what each column of an unknown file is, and shows what its first day then is. */
export function Mapping(props: MappingProps) {
  const { tables } = props;
  const [sheet, chooseSheet] = useState(tables[0]!.sheet);
  const table = tables.find((each) => each.sheet === sheet) ?? tables[0]!;
  const sheets = tables.map((each) => [each.sheet, each.sheet] as const);
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => frame.current?.focus(), []);
  return (
    <div class="mapping" ref={frame} role="group" aria-label="Map the columns" tabIndex={-1}>
      <p class="note">
        Say above each column what it is, and compare the first day with the till’s own report.
      </p>
      {sheets.length > 1 && (
        <Select label="Sheet" value={sheet} groups={[['', sheets]]} choose={chooseSheet} />
      )}
      <Form key={sheet} table={table} {...props} />
    </div>
  );
}

function Form(props: TableProps) {
  const form = useForm(props);
  return (
    <>
      <div class="two">
        <ColumnsTable {...form} />
        <Result {...form} />
      </div>
      <Elsewhere {...form} />
      <Keep {...form} />
    </>
  );
}

/** Keeps what was chosen and said, and reads the file anew whenever that has changed. */
function useForm({ chosen, tables, table, use }: TableProps) {
  const file = chosen.file.name;
  const { mapping } = chosen;
  const [draft, setDraft] = useState(() =>
    table === mapping?.tables[0] ? mapping.draft : drafts.firstDraft(table, file),
  );
  const [said, setSaid] = useState<Said>({});
  const [typed, setTyped] = useState(chosen.turnovers?.[0]?.typed ?? '');
  const { currency } = useAccount();
  const profile = drafts.profileOf(draft, table, nameFor(file));
  // Until a person says it, the restaurant is that of the file.
  const given = { restaurant: 'This restaurant', ...chosen, ...said };
  const { value: preview } = useLoad(profile && (() => reader.preview(given, profile, currency)), [
    JSON.stringify([profile, said]),
  ]);
  const isRead = preview && preview.problems.length + preview.questions.length === 0;
  const first = isRead ? preview.first : undefined;
  return {
    ...{ chosen, tables, table, draft, file, said, profile, preview, typed, setTyped, use, first },
    /** Whether the turnover of the first day is the one that was typed. */
    isProven: first !== undefined && amountOf(typed) === first.totals.gto,
    change: (changes: Partial<drafts.Draft>) => setDraft({ ...draft, ...changes }),
    say: (more: Said) => setSaid({ ...said, ...more }),
  };
}

type FormProps = ReturnType<typeof useForm>;

const nameFor = (file: string): string =>
  file
    .toLowerCase()
    .replace(/\.\w+$/, '')
    .match(/[a-z]+/g)
    ?.join('-') ?? 'source';

/** Asks for what no column says, how cells are written, and what single texts of a column mean. */
function Elsewhere({ table, draft, change, file, chosen, said, say }: FormProps) {
  const { roles, headings, meanings, isInCents } = draft;
  const isMissing = (which: 'restaurant' | 'date'): boolean =>
    !roles.some((role) => role.startsWith(which));
  const place = (which: 'restaurant' | 'date', label: string) =>
    isMissing(which) && (
      <Select
        label={label}
        value={draft[which]}
        groups={[['', drafts.placesOf(table, headings, file)]]}
        choose={(chosen) => change({ [which]: chosen })}
      />
    );
  return (
    <div class="fields">
      {place('restaurant', 'The restaurant is')}
      {place('date', 'The day is')}
      <GivenFields
        asksRestaurant={isMissing('restaurant') && draft.restaurant === 'given'}
        asksDate={isMissing('date') && draft.date === 'given'}
        said={{ ...chosen, ...said }}
        say={say}
      />
      {drafts.areWhole(draft, table) && (
        <Switch
          label="Amounts are whole numbers of cents"
          isOn={isInCents}
          set={(isOn) => change({ isInCents: isOn })}
        />
      )}
      {drafts
        .textColumns(draft, table)
        .map(({ role, column, meanings: all }) =>
          [...all].map(([text, meaning]) => (
            <Select
              key={`${column} ${text}`}
              label={`${column} ${text === OTHERS ? 'anything else' : text || '(empty)'}`}
              value={meaning}
              groups={[['', MEANINGS[role]]]}
              choose={(next) => change({ meanings: { ...meanings, [`${column}\n${text}`]: next } })}
            />
          )),
        )}
    </div>
  );
}

/** The first day as it would be uploaded: hours down, figures across, totals below. */
function Result({ table, draft, change, profile, preview, typed, setTyped }: FormProps) {
  const { roles, answers } = draft;
  const asked = drafts.taxQuestion(draft, table);
  if (asked)
    return (
      <Questions questions={[asked]} answer={({ value }) => change({ roles: value as string[] })} />
    );
  if (!profile) {
    const hour = roles.some((role) => role.includes('hour')) ? [] : ['the hour'];
    const missing = roles.includes('gto') ? hour : [...hour, 'the turnover'];
    return <Notice>Choose which column is {missing.join(', and which ')}.</Notice>;
  }
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
        answer={(answer) => change({ answers: [...answers, answer] })}
      />
      {answers.length > 0 && (
        <Button class="link" act={() => change({ answers: [] })}>
          Ask again
        </Button>
      )}
      {first && (
        <>
          <FirstDayTable first={first} />
          <TurnoverField
            label={TURNOVER_LABEL}
            value={typed}
            read={first.totals.gto}
            set={setTyped}
          />
        </>
      )}
      <Notes of={said} />
    </div>
  );
}

/** Uses the profile for this file, and keeps it for files like it once a day of it was proven. */
function Keep({ profile, preview, said, typed, file, use, first, ...form }: FormProps) {
  const { isProven, chosen, draft, table, tables } = form;
  const { hasAllRestaurants } = useAccount();
  const [name, setName] = useState(() => (chosen.mapping && chosen.profile) || nameFor(file));
  const keep = async (isKept: boolean): Promise<void> => {
    const { date, restaurant } = first!;
    const of = isGiven(profile!.restaurant) ? {} : { restaurant };
    const made: Profile = {
      ...{ ...profile!, name },
      control: preview!.hasTotal ? 'file' : isGiven(profile!.date) ? 'given' : 'none',
      ...(isProven && { proof: { file, date, turnover: amountOf(typed)! } }),
    };
    if (isKept) await reader.save(made);
    reader.make(made);
    const mapping = { draft, tables: [table, ...tables.filter((each) => each !== table)] };
    const turnovers = isProven ? [{ ...of, date, typed }] : [];
    use(made, { ...said, mapping, answers: [], turnovers });
  };
  const button = (label: string, isKept: boolean, isReady: boolean) => (
    <Button class={isKept ? '' : 'primary'} isOff={!isReady} act={() => keep(isKept)}>
      {label}
    </Button>
  );
  return (
    <div class="controls">
      {button('Use this mapping', false, !!first)}
      {hasAllRestaurants && (
        <>
          {button('Remember it for files like this', true, isProven)}
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
    </div>
  );
}
