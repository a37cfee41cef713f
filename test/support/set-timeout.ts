import { stretched } from './time-limits.js';

jest.setTimeout(stretched(180_000));
