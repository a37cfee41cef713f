import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';

/** What class-validator itself finds wrong with a body, in the words and paths of the service, sorted. */
export function classValidatorFaults(Dto: new () => object, body: object): string[] {
  const instance = plainToInstance(Dto, body);
  const faults = flattened(validateSync(instance, { stopAtFirstError: true }), instance, '', '');
  const refusals = faults.filter(({ status }) => status !== undefined);
  return (refusals.length > 0 ? refusals.slice(0, 1) : faults).map(({ text }) => text).sort();
}

interface Fault {
  readonly text: string;
  readonly status: unknown;
}

/** `named` is the nearest property with a name: within a list, messages still speak of the list. */
function flattened(errors: readonly ValidationError[], owner: unknown, path: string, named: string): Fault[] {
  const brokenLists = errors.filter(({ constraints }) => constraints).map(({ property }) => `${property}[*].`);
  return errors.flatMap(({ property, constraints, contexts, children, value }) => {
    if (brokenLists.some((list) => property.startsWith(list))) return []; // rules across a list that is none
    const isEntry = Array.isArray(owner);
    const here = isEntry ? `${path}[${property}]` : path === '' ? property : `${path}.${property}`;
    const name = isEntry ? named : property;
    const inner = flattened(children ?? [], value, here, name);
    const [rule, message] = Object.entries(constraints ?? {})[0] ?? [];
    if (rule === undefined || message === undefined) return inner;
    if (property.includes('[*]')) return message.split('; ').map((text) => ({ text, status: undefined }));
    const text = message.includes(name) ? message.replace(name, here) : `${here}: ${message}`;
    return [{ text, status: (contexts?.[rule] as { status?: unknown } | undefined)?.status }, ...inner];
  });
}
