import { useEffect, useRef, useState } from 'preact/hooks';
import { api, unwrap } from '../api/session.js';
import { errorText } from '../use-load.js';
import { readFiles, type DayState, type FileDay } from './file-days.js';
import { checkDay, saveDay, type Machines } from './send-day.js';

export interface Uploads {
  readonly days: readonly FileDay[];
  readonly problems: readonly string[];
  readonly add: (files: readonly File[]) => Promise<void>;
  readonly assign: (machine: string, restaurantId: number) => Promise<void>;
  readonly check: (days: readonly FileDay[]) => Promise<void>;
  readonly upload: (days: readonly FileDay[]) => Promise<void>;
  readonly clear: () => void;
}

/** Keeps the chosen files: each day is checked when it is added, and saved one after the other. */
export function useUploads(): Uploads {
  const [problems, setProblems] = useState<readonly string[]>([]);
  const { days, setDays, machines, check, upload } = useDays();
  const report = (error: unknown): void => setProblems((before) => [...before, errorText(error)]);
  const add = async (files: readonly File[]): Promise<void> => {
    const read = await readFiles(files);
    setDays((before) => [...before, ...read.days]);
    setProblems((before) => [...before, ...read.problems]);
    await loadMachines().then((loaded) => (machines.current = loaded), report);
    await check(read.days);
  };
  const assign = async (machine: string, restaurantId: number): Promise<void> => {
    machines.current = new Map([...machines.current, [machine, restaurantId]]);
    await saveMachines(machines.current).catch(report);
    await check(days.filter((day) => day.machine === machine));
  };
  const clear = (): void => {
    setDays([]);
    setProblems([]);
  };
  return { days, problems, add, assign, check, upload, clear };
}

/** Steps through days, one request at a time, until the view is left. */
function useDays() {
  const [days, setDays] = useState<readonly FileDay[]>([]);
  const machines = useRef<Machines>(new Map());
  const isGone = useRef(false);
  useEffect(() => () => void (isGone.current = true), []);
  const run = async (chosen: readonly FileDay[], busy: DayState, step: typeof checkDay): Promise<void> => {
    for (const day of chosen) {
      if (isGone.current) return;
      const set = (state: DayState): void =>
        setDays((all) => all.map((each) => (each.id === day.id ? { ...each, state } : each)));
      set(busy);
      set(await step(day, machines.current));
    }
  };
  const check = (chosen: readonly FileDay[]): Promise<void> => run(chosen, { kind: 'checking' }, checkDay);
  const upload = (chosen: readonly FileDay[]): Promise<void> => run(chosen, { kind: 'sending' }, saveDay);
  return { days, setDays, machines, check, upload };
}

async function loadMachines(): Promise<Machines> {
  const { machines } = unwrap(await api.GET('/api/v1/sales/machines'));
  return new Map(machines.map(({ machine, restaurant_id }) => [machine, restaurant_id]));
}

async function saveMachines(chosen: Machines): Promise<void> {
  const machines = [...chosen].map(([machine, restaurant_id]) => ({ machine, restaurant_id }));
  unwrap(await api.PUT('/api/v1/sales/machines', { body: { machines } }));
}
