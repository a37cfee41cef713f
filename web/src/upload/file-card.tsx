import { useEffect, useState } from 'preact/hooks';
import { isGiven } from '../../../src/sales/files/profile.js';
import { RestaurantChoice } from '../components/restaurant-picker.js';
import { lazy } from '../lazy.js';
import { withoutOption } from './file-days.js';
import type { FileState, Uploads } from './uploads.js';

const Mapping = lazy(() => import('./mapping.js').then((all) => all.Mapping));

interface FileCardProps {
  readonly file: FileState;
  readonly uploads: Uploads;
}

/** Shows what keeps a file from being uploaded, what was found in it, and asks what is missing. */
export function FileCard({ file, uploads }: FileCardProps) {
  const [isMapped, setMapped] = useState(false);
  const { chosen, read, problems, notes } = file;
  const { tell, remove, use } = uploads;
  const isAsked = isGiven(read?.profile?.restaurant ?? {}) || isGiven(read?.profile?.date ?? {});
  if (problems.length === 0 && notes.length === 0 && !isAsked) return null;
  return (
    <section class={`card ${problems.length > 0 ? 'bad' : ''}`} aria-label={chosen.file.name}>
      <div class="body">
        <Said name={chosen.file.name} problems={problems} notes={notes} />
        {isAsked && <Questions file={file} uploads={uploads} />}
        <div class="controls">
          {(chosen.profile !== undefined || /profile/.test(problems.join())) && (
            <ProfileChooser
              chosen={chosen.profile}
              choose={(profile) => tell(chosen.id, { profile })}
            />
          )}
          {read?.unknown && !isMapped && (
            <button type="button" class="primary" onClick={() => setMapped(true)}>
              Tell what its columns are
            </button>
          )}
          <button type="button" onClick={() => remove(chosen.id)}>
            Leave it out
          </button>
        </div>
        {read?.unknown && isMapped && (
          <Mapping
            chosen={chosen}
            tables={read.unknown}
            use={(profile) => void use(chosen.id, profile)}
          />
        )}
      </div>
    </section>
  );
}

interface SaidProps {
  readonly name: string;
  readonly problems: readonly string[];
  readonly notes: readonly string[];
}

function Said({ name, problems, notes }: SaidProps) {
  return (
    <>
      <h2>{name}</h2>
      {problems.map((problem) => (
        <p key={problem} role="alert">
          {name}: {withoutOption(problem)}
        </p>
      ))}
      {notes.map((note) => (
        <p key={note} class="note">
          {note}
        </p>
      ))}
    </>
  );
}

/** Asks for what the profile of the file does not find in it. */
function Questions({ file, uploads }: FileCardProps) {
  const { chosen, read } = file;
  return (
    <div class="controls">
      {isGiven(read?.profile?.restaurant ?? {}) && (
        <RestaurantChoice
          label="Restaurant"
          value={chosen.restaurant ?? ''}
          choose={(restaurant) => uploads.tell(chosen.id, { restaurant })}
        />
      )}
      {isGiven(read?.profile?.date ?? {}) && (
        <label>
          Day{' '}
          <input
            type="date"
            value={chosen.date ?? ''}
            onChange={({ currentTarget }) => uploads.tell(chosen.id, { date: currentTarget.value })}
          />
        </label>
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
    void import('./reader.js').then(async ({ profileNames }) => setNames(await profileNames()));
  }, []);
  return (
    <label>
      Read by the profile{' '}
      <select onChange={({ currentTarget }) => choose(currentTarget.value)}>
        <option value="" selected={chosen === ''}>
          that knows it
        </option>
        {names.map((name) => (
          <option key={name} value={name} selected={name === chosen}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
