import { useState } from 'preact/hooks';
import { isGiven } from '../../../src/sales/files/profile.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { Select, Switch } from '../components/choices.js';
import { useLoad } from '../use-load.js';
import { withoutOption } from './file-days.js';
import { Mapping } from './mapping.js';
import { GivenFields, Notes, Questions, TURNOVER_LABEL, TurnoverField } from './questions.js';
import * as reader from './reader.js';
import type { TypedTurnover } from './reader-worker.js';
import type { FileState, Said, Uploads } from './uploads.js';

/** The tables of a file that no profile knows; one after the other is mapped. */
const tablesOf = ({ unknown = [] }: FileState) => unknown.filter(({ rows }) => rows.length > 1);

/** Shows what keeps a file from being uploaded, what was found in it, and asks what is missing. */
export function FileCard({ file, uploads }: { file: FileState; uploads: Uploads }) {
  const { chosen, problems, questions, notes, profile } = file;
  const { id, mapping } = chosen;
  const asksRestaurant = isGiven(profile?.restaurant ?? {});
  const asksDate = isGiven(profile?.date ?? {});
  /** The mapping that is being changed, until another one is used. */
  const [changed, setChanged] = useState<typeof mapping>();
  const [isKept, setKept] = useState(false);
  const isChanging = changed !== undefined && changed === mapping;
  const tables = isChanging ? changed.tables : tablesOf(file);
  const isMapped = isChanging || file === uploads.files.find((each) => tablesOf(each).length > 0);
  const isBad = problems.length > 0 || questions.length > 0;
  if (!isBad && notes.length === 0 && !asksRestaurant && !asksDate && !mapping) return null;
  const say = (said: Said): void => uploads.tell(id, said);
  const others = questions.filter(({ option }) => option !== 'given.turnover');
  const { name } = chosen.file;
  return (
    <Card label={name} title={name} class={isBad ? 'bad' : ''}>
      <div class="body">
        {(isMapped ? [] : problems).map((text) => (
          <p key={text} role="alert">
            {name}: {withoutOption(text)}
          </p>
        ))}
        <Notes of={notes} />
        <div class="controls">
          <GivenFields {...{ asksRestaurant, asksDate, say }} said={chosen} />
          <TurnoverFields file={file} say={say} />
        </div>
        <Questions questions={others} answer={(answer) => uploads.answer(file, answer, isKept)} />
        {others.some(({ option, answers }) => answers[0] && !option.startsWith('given.')) && (
          <Switch
            label="Keep the answer in the profile, for all its files"
            isOn={isKept}
            set={setKept}
          />
        )}
        {isMapped && (
          <Mapping {...{ chosen, tables }} use={(made, said) => uploads.use(id, made, said)} />
        )}
        <div class="controls">
          {(chosen.profile !== undefined || isBad) && <ProfileChoice file={file} say={say} />}
          {mapping && !isMapped && (
            <Button act={() => setChanged(mapping)}>Change the mapping</Button>
          )}
          <Button act={() => uploads.remove(id)}>Remove</Button>
        </div>
      </div>
    </Card>
  );
}

interface FileProps {
  readonly file: FileState;
  readonly say: (said: Said) => void;
}

/** Asks for the turnovers of the days that were asked about, and shows those that were typed. */
function TurnoverFields({ file, say }: FileProps) {
  const { turnovers = [], restaurant: said } = file.chosen;
  const asked: TypedTurnover[] = file.questions.flatMap(({ of }) => of ?? []);
  const fields = new Map(
    [...asked, ...turnovers].map((each) => [`${each.restaurant ?? said}, ${each.date}`, each]),
  );
  const all = [...fields.values()];
  return [...fields].map(([key, field]) => (
    <TurnoverField
      key={key}
      label={fields.size > 1 ? `${key}: ${TURNOVER_LABEL}` : TURNOVER_LABEL}
      value={field.typed}
      set={(typed) =>
        say({ turnovers: all.map((each) => (each === field ? { ...each, typed } : each)) })
      }
    />
  ));
}

/** Says which profile reads a file, and lets another one read it. */
function ProfileChoice({ file, say }: FileProps) {
  const { profile = '' } = file.chosen;
  const { value: names = [profile] } = useLoad(reader.profileNames, [profile]);
  const options = [...new Set(['', ...names])];
  return (
    <Select
      label="Read by the profile"
      value={profile}
      groups={[['', options.map((name) => [name, name || 'that knows it'])]]}
      choose={(name) => say({ profile: name, answers: [] })}
    />
  );
}
