import { useEffect, useState } from 'preact/hooks';
import { isGiven } from '../../../src/sales/files/profile.js';
import type { Answer } from '../../../src/sales/files/question.js';
import { RestaurantChoice } from '../components/restaurant-picker.js';
import { errorText } from '../use-load.js';
import { withoutOption } from './file-days.js';
import { Mapping } from './mapping.js';
import { Chooser, DayField, Questions, TurnoverField } from './questions.js';
import type { FileState, Uploads } from './uploads.js';

/** The tables of a file that no profile knows; one after the other is mapped. */
const tablesOf = ({ read }: FileState) =>
  read?.unknown?.filter(({ rows }) => rows.length > 1) ?? [];

const isAskedEachTime = ({ read }: FileState): boolean =>
  isGiven(read?.profile?.restaurant ?? {}) || isGiven(read?.profile?.date ?? {});

interface FileCardProps {
  readonly file: FileState;
  readonly uploads: Uploads;
}

/** Shows what keeps a file from being uploaded, what was found in it, and asks what is missing. */
export function FileCard({ file, uploads }: FileCardProps) {
  const { chosen, problems, questions } = file;
  const [problem, setProblem] = useState('');
  const tables = tablesOf(file);
  const isMapped = file === uploads.files.find((each) => tablesOf(each).length > 0);
  const isBad = problems.length > 0 || questions.length > 0;
  if (!isBad && file.notes.length === 0 && !isAskedEachTime(file)) return null;
  const answer = (answered: Answer): void =>
    void uploads.answer(file, answered).catch((error: unknown) => setProblem(errorText(error)));
  return (
    <section class={`card ${isBad ? 'bad' : ''}`} aria-label={chosen.file.name}>
      <div class="body">
        <Said file={file} problems={isMapped ? [] : [...problems, problem].filter(Boolean)} />
        <GivenFields file={file} uploads={uploads} />
        <Questions
          questions={questions.filter(({ option }) => !/^given\.(res|date|turn)/.test(option))}
          answer={answer}
        />
        {isMapped && (
          <Mapping
            {...{ chosen, tables }}
            use={(made, said) => uploads.use(chosen.id, made, said)}
          />
        )}
        <div class="controls">
          {(chosen.profile !== undefined || isBad) && (
            <ProfileChooser
              chosen={chosen.profile}
              choose={(profile) => uploads.tell(chosen.id, { profile })}
            />
          )}
          <button type="button" onClick={() => uploads.remove(chosen.id)}>
            Remove
          </button>
        </div>
      </div>
    </section>
  );
}

function Said({ file, problems }: { file: FileState; problems: readonly string[] }) {
  const { name } = file.chosen.file;
  return (
    <>
      <h2>{name}</h2>
      {problems.map((text) => (
        <p key={text} role="alert">
          {name}: {withoutOption(text)}
        </p>
      ))}
      {file.notes.map((note) => (
        <p key={note} class="note">
          {note}
        </p>
      ))}
    </>
  );
}

/** Asks for what a file of its source never says. */
function GivenFields({ file: { chosen, read, questions }, uploads }: FileCardProps) {
  const { restaurant = {}, date = {} } = read?.profile ?? {};
  const { turnover, date: day = '' } = chosen;
  const isTurnoverAsked = questions.some(({ option }) => option === 'given.turnover');
  return (
    <div class="controls">
      {isGiven(restaurant) && (
        <RestaurantChoice
          label="Restaurant"
          value={chosen.restaurant ?? ''}
          choose={(id) => uploads.tell(chosen.id, { restaurant: id })}
        />
      )}
      {isGiven(date) && (
        <DayField value={day} set={(said) => uploads.tell(chosen.id, { date: said })} />
      )}
      {(isTurnoverAsked || turnover) && (
        <TurnoverField
          label="Turnover of this day by the till’s own report"
          value={turnover?.typed}
          read={undefined}
          set={(typed) => uploads.tell(chosen.id, { turnover: { date: day, typed } })}
        />
      )}
    </div>
  );
}

interface ProfileChooserProps {
  readonly chosen: string | undefined;
  readonly choose: (profile: string) => void;
}

function ProfileChooser({ chosen = '', choose }: ProfileChooserProps) {
  const [names, setNames] = useState<readonly string[]>([]);
  useEffect(() => {
    void import('./reader.js')
      .then(({ reader }) => reader.profileNames())
      .then(setNames, () => undefined);
  }, []);
  const all = names.map((name) => [name, name] as const);
  return (
    <Chooser
      label="Read by the profile "
      value={chosen}
      groups={[['', [['', 'that knows it'], ...all]]]}
      choose={choose}
    />
  );
}
