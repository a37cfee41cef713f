import { crowd } from './crowd.mjs';
import { generator } from './generator.mjs';
import { growth } from './growth.mjs';
import { logins } from './logins.mjs';
import { mixed } from './mixed.mjs';
import { overview } from './overview.mjs';
import { overload } from './overload.mjs';
import { profile } from './profile.mjs';
import { rejects } from './rejects.mjs';
import { resend } from './resend.mjs';
import { soak } from './soak.mjs';
import { startup } from './startup.mjs';
import { uploads } from './uploads.mjs';
import { workers } from './workers.mjs';

/** In the order in which they run. */
export const SCENARIOS = [
  uploads,
  resend,
  rejects,
  logins,
  mixed,
  growth,
  crowd,
  overview,
  overload,
  startup,
  workers,
  generator,
  soak,
  profile,
];
