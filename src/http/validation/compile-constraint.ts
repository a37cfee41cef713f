import { getMetadataStorage, type ValidationArguments } from 'class-validator';
import type { Rule } from './dto-class.js';
import { ValueRule } from './value-rule.js';

/** One constraint of one field. */
export interface Constraint {
  passes(value: unknown, object: object): boolean;
  /** What is wrong with a value that did not pass, in the constraint's own words about `path`. */
  text(value: unknown, object: object, path: string): string;
  /** The HTTP status that `{ context: { status } }` gives to this fault alone. */
  readonly status: number | undefined;
}

/** Makes one constraint of class-validator's metadata, and throws where that cannot be done faithfully. */
export function compileConstraint(metadata: Rule, targetName: string): Constraint {
  const { propertyName: property, constraints, message } = metadata;
  const rule = firstArgument(metadata);
  const place = `${targetName}.${property}`;
  const validator = validatorOf(metadata, place);
  const argumentsFor = (value: unknown, object: object) => ({ targetName, property, object, value, constraints });
  return {
    status: statusOf(metadata, place),
    passes: rule instanceof ValueRule ? rule.passes : passesFor(metadata, validator, argumentsFor, place),
    text(value, object, path) {
      const asked = argumentsFor(value, object);
      return fillIn(message || (validator.defaultMessage?.(asked) ?? ''), asked, path);
    },
  };
}

/** The first of the arguments that a rule's decorator handed to class-validator; its types hide that there may be none. */
export function firstArgument(metadata: Rule): unknown {
  return (metadata.constraints as readonly unknown[] | undefined)?.[0];
}

/** class-validator's own filling in, except that `$property` becomes the whole path and a "$" in a value stays one. */
export function fillIn(message: Rule['message'], asked: ValidationArguments, path: string): string {
  let text = typeof message === 'function' ? message(asked) : message;
  const constraints = asked.constraints as readonly unknown[] | undefined;
  constraints?.forEach((constraint, index) => {
    text = text.replaceAll(`$constraint${index + 1}`, () => shown(constraint));
  });
  const value: unknown = asked.value;
  if (['string', 'boolean', 'number'].includes(typeof value)) text = text.replaceAll('$value', () => String(value));
  text = text.replaceAll('$property', () => path).replaceAll('$target', () => asked.targetName);
  return text.includes(path) ? text : `${path}: ${text}`;
}

type Validator = ReturnType<typeof validatorOf>;

function validatorOf({ constraintCls, name }: Rule, place: string) {
  const [registered, ...others] = getMetadataStorage().getTargetValidatorConstraints(constraintCls);
  if (!registered) throw new Error(`${place}: ${constraintCls.name} is not marked @ValidatorConstraint()`);
  if (registered.async || others.length > 0) throw new Error(`${place}: ${name ?? 'a rule'} is asynchronous`);
  return registered.instance;
}

function passesFor(
  { each, validateIf }: Rule,
  validator: Validator,
  argumentsFor: (value: unknown, object: object) => ValidationArguments,
  place: string,
): Constraint['passes'] {
  const holds = (value: unknown, asked: ValidationArguments) => {
    const verdict = validator.validate(value, asked);
    // Truthy, and so every value would pass.
    if (verdict instanceof Promise) throw new Error(`${place}: a rule is asynchronous without saying so`);
    return verdict;
  };
  if (!each && !validateIf) return (value, object) => holds(value, argumentsFor(value, object));
  return (value, object) => {
    if (validateIf && !validateIf(object, value)) return true;
    const asked = argumentsFor(value, object);
    return each && Array.isArray(value) ? value.every((entry) => holds(entry, asked)) : holds(value, asked);
  };
}

function statusOf({ context }: Rule, place: string): number | undefined {
  const status: unknown = (context as { readonly status?: unknown } | undefined)?.status;
  if (status === undefined || status === 413) return status;
  throw new Error(`${place}: a fault cannot have another status than 413`);
}

function shown(constraint: unknown): string {
  return Array.isArray(constraint) ? constraint.join(', ') : String(constraint);
}
