import type { ValidationError } from '@nestjs/common';
import { InvalidRequest, TooManyEntries } from '../errors/http.errors.js';
import type { ServiceError } from '../errors/service-error.js';

const MAX_POINTERS = 20;
const MAX_TEXTS = 10;
const MAX_TEXT_LENGTH = 300;

/** One thing that is wrong with a request. */
export interface Fault {
  /** The path of the value, such as `records[3].hour`. */
  readonly path: string;
  readonly text: string;
  /** Whether the response is 413, whatever else is wrong. */
  readonly isTooMany?: boolean;
}

/** A rule that words its own faults: class-validator keeps it as the context of its own rule. */
export interface FieldRule {
  passes(value: unknown): boolean;
  /** Returns nothing for a valid value. */
  faultsOf(value: unknown, path: string): readonly Fault[];
  /** Makes what the handler gets of the text of a query or a path; undefined if that is invalid. */
  readonly parse?: (value: unknown) => unknown;
}

export interface RuleContext {
  readonly rule?: FieldRule;
  readonly isOptional?: true;
}

export function faultAt(path: string, text: string): Fault {
  return { path, text: `${path} ${text}` };
}

/** Makes the response to what class-validator found: the exception factory of the pipe. */
export function toServiceError(errors: readonly ValidationError[]): ServiceError {
  return rejection(faultsOf(errors));
}

/** Makes the response to a request with faults. */
export function rejection(faults: readonly Fault[]): ServiceError {
  const tooMany = faults.find(({ isTooMany }) => isTooMany);
  if (tooMany) return new TooManyEntries(tooMany.text);
  const texts = faults.slice(0, MAX_TEXTS).map(({ text }) => shorten(text));
  if (faults.length > MAX_TEXTS) texts.push(`... and ${faults.length - MAX_TEXTS} more`);
  const pointers = faults.slice(0, MAX_POINTERS).map(({ path }) => pointerTo(path));
  return Object.assign(new InvalidRequest(texts.join('; ')), { pointers });
}

function faultsOf(errors: readonly ValidationError[], parent = '', listName = ''): Fault[] {
  return errors.flatMap(
    ({ target, property, value, constraints = {}, contexts = {}, children = [] }) => {
      const isEntry = Array.isArray(target);
      const name = isEntry ? listName : property;
      const path = isEntry
        ? `${parent}[${property}]`
        : [parent, property].filter(Boolean).join('.');
      const own = Object.entries(constraints).flatMap(([constraint, text]): readonly Fault[] => {
        const { rule } = (contexts[constraint] ?? {}) as RuleContext;
        return rule?.faultsOf(value, path) ?? [{ path, text: withPath(text, name, path) }];
      });
      return [...own, ...faultsOf(children, path, name)];
    },
  );
}

/** Puts the path into class-validator's text, which names the property alone or the list. */
function withPath(text: string, name: string, path: string): string {
  if (text.startsWith(`${name} `)) return path + text.slice(name.length);
  if (text.includes(` ${name} `)) return text.replace(` ${name} `, () => ` ${path} `);
  return `${path}: ${text}`;
}

function shorten(text: string): string {
  return text.length <= MAX_TEXT_LENGTH ? text : `${text.slice(0, MAX_TEXT_LENGTH)}...`;
}

/** Writes a path as a JSON pointer (RFC 6901). */
function pointerTo(path: string): string {
  return `/${path.replace(/\]$/, '').replace(/\]?[.[]/g, '/')}`;
}
