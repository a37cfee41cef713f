import { isGiven } from '../../../src/sales/files/profile.js';
import type { Answer } from '../../../src/sales/files/question.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { Select } from '../components/choices.js';
import { useAction, useLoad } from '../use-load.js';
import { withoutOption } from './file-days.js';
import { Mapping } from './mapping.js';
import { GivenFields, Notes, Questions, TurnoverField } from './questions.js';
import type { TypedTurnover } from './reader-worker.js';
import type { FileState, Said, Uploads } from './uploads.js';

/** The tables of a file that no profile knows; one after the other is mapped. */
const tablesOf = ({ unknown = [] }: FileState) => unknown.filter(({ rows }) => rows.length > 1);

/** Shows what keeps a file from being uploaded, what was found in it, and asks what is missing. */
export function FileCard({ file, uploads }: { file: FileState; uploads: Uploads }) {
  const { chosen, problems, questions, notes, profile } = file;
  const { id, turnovers = [] } = chosen;
  const keyOf = ({ restaurant = chosen.restaurant, date }: TypedTurnover): string =>
    `${restaurant}, ${date}`;
  const asked: TypedTurnover[] = questions.flatMap(({ of }) => of ?? []);
  const fields = new Map([...asked, ...turnovers].map((each) => [keyOf(each), each]));
  const asksRestaurant = isGiven(profile?.restaurant ?? {});
  const asksDate = isGiven(profile?.date ?? {});
  const { problem, act } = useAction();
  const tables = tablesOf(file);
  const isMapped = file === uploads.files.find((each) => tablesOf(each).length > 0);
  const isBad = problems.length > 0 || questions.length > 0;
  if (!isBad && notes.length === 0 && !asksRestaurant && !asksDate) return null;
  const say = (said: Said): void => uploads.tell(id, said);
  const answer = (answered: Answer): void => void act(() => uploads.answer(file, answered));
  const { name } = chosen.file;
  return (
    <Card label={name} title={name} class={isBad ? 'bad' : ''}>
      <div class="body">
        {(isMapped ? [] : [...problems, problem].filter(Boolean)).map((text) => (
          <p key={text} role="alert">
            {name}: {withoutOption(text)}
          </p>
        ))}
        <Notes of={notes} />
        <div class="controls">
          <GivenFields {...{ asksRestaurant, asksDate, say }} said={chosen} />
          {[...fields].map(([key, field]) => (
            <TurnoverField
              key={key}
              label={`${fields.size > 1 ? `${key}: turnover` : 'Turnover'} of this day by the till’s own report, before tax and service charge`}
              value={field.typed}
              set={(typed) =>
                say({
                  turnovers: [...fields.values()].map((each) =>
                    each === field ? { ...each, typed } : each,
                  ),
                })
              }
            />
          ))}
        </div>
        <Questions
          questions={questions.filter(({ option }) => !/^given\.(res|date|turn)/.test(option))}
          answer={answer}
        />
        {isMapped && (
          <Mapping {...{ chosen, tables }} use={(made, said) => uploads.use(id, made, said)} />
        )}
        <div class="controls">
          {(chosen.profile !== undefined || isBad) && (
            <ProfileChoice chosen={chosen.profile} choose={(each) => say({ profile: each })} />
          )}
          <Button act={() => uploads.remove(id)}>Remove</Button>
        </div>
      </div>
    </Card>
  );
}

interface ProfileChoiceProps {
  readonly chosen: string | undefined;
  readonly choose: (profile: string) => void;
}

function ProfileChoice({ chosen = '', choose }: ProfileChoiceProps) {
  const loaded = useLoad(async () => (await import('./reader.js')).reader.profileNames(), []);
  const names = (loaded.value ?? []).map((name) => [name, name] as const);
  return (
    <Select
      label="Read by the profile"
      value={chosen}
      groups={[['', [['', 'that knows it'], ...names]]]}
      choose={choose}
    />
  );
}
