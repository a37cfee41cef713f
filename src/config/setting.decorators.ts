import { Matches, ValidateBy } from 'class-validator';
import { parseTrustedProxies } from './trusted-proxies.js';

export function Pattern(pattern: RegExp, rule: string): PropertyDecorator {
  return Matches(pattern, { message: `$property ${rule}` });
}

export function WholeNumber(min: number, max: number): PropertyDecorator {
  return ValidateBy({
    name: 'wholeNumber',
    validator: {
      validate: (value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max,
      defaultMessage: () => `$property must be a whole number from ${min} to ${max}`,
    },
  });
}

const formerNames = new Map<string, string>();

/** The name of a setting in earlier releases; read where the new one is not set. */
export function FormerName(former: string): PropertyDecorator {
  return (_target, name) => void formerNames.set(String(name), former);
}

export function formerNameOf(name: string): string | undefined {
  return formerNames.get(name);
}

export function TrustedProxies(): PropertyDecorator {
  return ValidateBy({
    name: 'trustedProxies',
    validator: {
      validate: (value) => typeof value === 'string' && parseTrustedProxies(value) !== undefined,
      defaultMessage: () =>
        '$property must list IP addresses, networks, loopback, linklocal or uniquelocal, or be a number of proxies',
    },
  });
}
