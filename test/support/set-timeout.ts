import { stretched } from './time-limits.js';

jest.setTimeout(stretched(60_000));
