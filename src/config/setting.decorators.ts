import { Matches, ValidateBy } from 'class-validator';
import { parseTrustedProxies } from './trusted-proxies.js';

export function Pattern(pattern: RegExp, rule: string): PropertyDecorator {
  return Matches(pattern, { message: `$property ${rule}` });
}

export function WholeNumber(min: number, max: number): PropertyDecorator {
  const passes = (value: unknown): boolean =>
    Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
  return Rule('wholeNumber', passes, `must be a whole number from ${min} to ${max}`);
}

export function TrustedProxies(): PropertyDecorator {
  const passes = (value: unknown): boolean =>
    typeof value === 'string' && parseTrustedProxies(value) !== undefined;
  const rule =
    'must list IP addresses, networks, loopback, linklocal or uniquelocal, or be a number of proxies';
  return Rule('trustedProxies', passes, rule);
}

function Rule(
  name: string,
  validate: (value: unknown) => boolean,
  rule: string,
): PropertyDecorator {
  return ValidateBy({ name, validator: { validate, defaultMessage: () => `$property ${rule}` } });
}
