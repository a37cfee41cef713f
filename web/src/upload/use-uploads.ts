import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, keep, post, recall } from '../api/service.js';
import type { Upload } from '../day/day-data.js';
import { labelOf } from '../fields.js';
import { errorText } from '../use-load.js';
import { readSalesFile, type DayState, type FileDay } from './file-days.js';

interface UploadResponse {
  readonly message: string;
  readonly changes?: Upload['changes'];
  readonly warnings?: readonly { readonly message: string }[];
}

/** The restaurant of each machine, as the browser remembers it. */
type Machines = Readonly<Record<string, string>>;

/** Keeps the chosen files of a session, and lets the service check and save their days. */
export function useUploads() {
  const [days, setDays] = useState<readonly FileDay[]>([]);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const machines = useRef((recall(() => localStorage, 'machines') ?? {}) as Machines);
  // Days are checked or saved one request at a time.
  const run = async (chosen: readonly FileDay[], kind: 'checking' | 'sending'): Promise<void> => {
    for (const day of chosen) {
      const set = (state: DayState): void =>
        setDays((all) => all.map((each) => (each.id === day.id ? { ...each, state } : each)));
      set({ kind });
      set(await (kind === 'checking' ? check : save)(day, machines.current));
    }
  };
  const add = async (files: readonly File[]): Promise<void> => {
    const read = await Promise.all(files.map(readSalesFile));
    const added = read.flatMap((file) => file.days);
    setDays((before) => [...before, ...added]);
    setProblems((before) => [...before, ...read.flatMap((file) => file.problems)]);
    await run(added, 'checking');
  };
  const assign = async (machine: string, restaurantId: string): Promise<void> => {
    machines.current = { ...machines.current, [machine]: restaurantId };
    keep(() => localStorage, 'machines', machines.current);
    const isOpen = (day: FileDay) => day.machine === machine && day.state.kind !== 'saved';
    await run(days.filter(isOpen), 'checking');
  };
  const clear = (): void => {
    setDays([]);
    setProblems([]);
  };
  // The browser asks before it closes a page whose days are not saved.
  const isWaiting = days.some(({ state }) => state.kind !== 'saved' && state.kind !== 'rejected');
  useEffect(() => {
    if (!isWaiting) return undefined;
    const ask = (event: Event): void => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isWaiting]);
  return { days, problems, machines: machines.current, isWaiting, add, assign, run, clear };
}

export type Uploads = ReturnType<typeof useUploads>;

/** Lets the service check a day and say what an upload would change. */
async function check(day: FileDay, machines: Machines): Promise<DayState> {
  if (day.machine !== undefined && !(day.machine in machines)) return { kind: 'unassigned' };
  try {
    const { changes = [], warnings = [] } = await send(day, machines, '?dry_run=true');
    return { kind: 'ready', changes, warnings: warnings.map(({ message }) => message) };
  } catch (error) {
    const message = errorText(error);
    if (!(error instanceof ApiError) || error.status < 400 || error.status >= 500)
      return { kind: 'unchecked', message };
    const placeOf = (_path: string, record: string, field: string): string =>
      `line ${day.lines[Number(record)] ?? Number(record) + 1}, ${labelOf(field)}:`;
    const pointers = [...error.fields.matchAll(/\/records\/(\d+)\/(\w+)/g)];
    const cells = pointers.map(([, record, field]) => `${record!} ${field!}`);
    const inWords = message.replace(/records\[(\d+)\]\.(\w+)/g, placeOf);
    return { kind: 'rejected', message: inWords, cells };
  }
}

async function save(day: FileDay, machines: Machines): Promise<DayState> {
  try {
    return { kind: 'saved', message: (await send(day, machines, '')).message };
  } catch (error) {
    return { kind: 'failed', message: errorText(error) };
  }
}

/** Sends records unchecked: those of a file may be anything, and the service validates them. */
function send({ machine = '', records }: FileDay, machines: Machines, query: string) {
  const restaurant = machines[machine] && { restaurant_id: Number(machines[machine]) };
  const sent = restaurant ? records.map((record) => ({ ...restaurant, ...record })) : records;
  return post<UploadResponse>('/api/v1/sales/upload-daily', { records: sent }, { query });
}
