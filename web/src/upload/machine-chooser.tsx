import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';
import { RestaurantsContext } from '../restaurants.js';
import type { FileDay } from './file-days.js';
import type { Uploads } from './use-uploads.js';

interface ChooserProps extends Pick<Uploads, 'assign'> {
  readonly days: readonly FileDay[];
}

/** Asks once which restaurant a machine is; the service remembers it. */
export function MachineChooser({ days, assign }: ChooserProps): JSX.Element | null {
  const restaurants = useContext(RestaurantsContext);
  const unknown = days.flatMap(({ machine, state }) => (machine && state.kind === 'unassigned' ? [machine] : []));
  if (unknown.length === 0) return null;
  return (
    <fieldset>
      <legend>Which restaurant is it?</legend>
      {[...new Set(unknown)].map((machine) => (
        <label key={machine}>
          Machine {machine}{' '}
          <select onChange={({ currentTarget }) => void assign(machine, Number(currentTarget.value))}>
            <option value="">Choose…</option>
            {restaurants.map(({ restaurant_id, name }) => (
              <option value={restaurant_id}>{name}</option>
            ))}
          </select>
        </label>
      ))}
    </fieldset>
  );
}
