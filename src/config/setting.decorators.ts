import { Matches, ValidateBy } from 'class-validator';
import { parseTrustedProxies } from './trusted-proxies.js';

export function WholeNumber(min: number, max: number): PropertyDecorator {
  return ValidateBy({
    name: 'wholeNumber',
    validator: {
      validate: (value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max,
      defaultMessage: () => `$property must be a whole number from ${min} to ${max}`,
    },
  });
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

export function Origins(): PropertyDecorator {
  return Matches(/^(|https?:\/\/[^\s,/]+(\s*,\s*https?:\/\/[^\s,/]+)*)$/, {
    message: 'CORS_ORIGINS must list origins such as https://office.example, with nothing after the host and port',
  });
}
