import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import type { ServiceError } from '../../src/http/errors/service-error.js';
import { type Acquaintance, PasswordsService } from '../../src/users/passwords.service.js';
import { TooManyLogins } from '../../src/users/users.errors.js';
import { testConfig } from '../support/test-app.js';

const SETTINGS = { HASH_THREADS: 1, HASH_QUEUE_MAX: 4, BCRYPT_COST: 8 };

describe('Hashing', () => {
  let passwords: PasswordsService;
  beforeEach(() => (passwords = new PasswordsService(testConfig(SETTINGS), testConfig({}))));
  afterEach(() => passwords.onApplicationShutdown());

  test.each(['', 'a\0b', 'ü'.repeat(36) + 'x'])('rejects the password %j', async (password) => {
    await expect(passwords.hash(password)).rejects.toMatchObject({ errorCode: 'invalid_password' });
  });

  test('leaves the event loop to others', async () => {
    let turns = 0;
    const counting = setInterval(() => turns++, 1);
    await Promise.all([1, 2, 3, 4].map(() => passwords.hash('x')));
    clearInterval(counting);
    expect(turns).toBeGreaterThan(5);
  });

  test('is done in the order of the calls', async () => {
    const done: number[] = [];
    const jobs = [1, 2, 3, 4].map((call) => passwords.hash('x').then(() => done.push(call)));
    await Promise.all(jobs);
    expect(done).toEqual([1, 2, 3, 4]);
  });

  test('fails for one password without harm to others', async () => {
    const broken = passwords.matches('x', { passwordHash: 5 as never });
    const next = passwords.hash('x');
    await expect(broken).rejects.toThrow('hash must be a string');
    expect(await next).toMatch(/^\$2b\$08\$/);
  });

  test('turns strangers away from half of the queue on, users at other addresses from three quarters, others from a full one: 503', async () => {
    const tooMany = { status: 503, errorCode: 'too_many_logins' };
    const outcome = (acquaintance: Acquaintance) => {
      try {
        passwords.assertCapacity(acquaintance);
        return 'accepted';
      } catch (error) {
        return error;
      }
    };
    const outcomes = () => (['stranger', 'user', 'known'] as const).map(outcome);
    const jobs = [1, 2].map(() => passwords.hash('x')); // one is under way
    expect(outcomes()).toEqual(['accepted', 'accepted', 'accepted']);
    jobs.push(passwords.hash('x'));
    expect(outcomes()).toMatchObject([tooMany, 'accepted', 'accepted']);
    jobs.push(passwords.hash('x'));
    expect(outcomes()).toMatchObject([tooMany, tooMany, 'accepted']);
    jobs.push(passwords.hash('x'));
    expect(outcomes()).toMatchObject([tooMany, tooMany, tooMany]);
    await Promise.all(jobs);
    expect(outcomes()).toEqual(['accepted', 'accepted', 'accepted']);
  });

  test('lets the new password of a command wait for its turn, however many wait before it', async () => {
    const hasty = new PasswordsService(
      testConfig(SETTINGS),
      testConfig({ RESPONSE_TIMEOUT_MS: 2 }),
    );
    const hashed = await Promise.all(Array.from({ length: 9 }, () => hasty.hash('x')));
    await hasty.onApplicationShutdown();
    expect(hashed).toHaveLength(9);
  });

  test('asks those that it turns away to come back one after another within 14 seconds', async () => {
    const jobs = Array.from({ length: 5 }, () => passwords.hash('x'));
    const seconds = Array.from({ length: 1000 }, () => {
      try {
        passwords.assertCapacity('known');
        return 0;
      } catch (error) {
        return Number((error as ServiceError).getHeaders()['Retry-After']);
      }
    });
    // At cost 8 a thread compares some 64 passwords a second.
    const each = Array.from({ length: 15 }, (_, s) => seconds.filter((wait) => wait === s).length);
    expect([seconds[0], each[0]]).toEqual([1, 0]);
    for (const tills of each.slice(2, 14)) expect(tills).toBeGreaterThan(50);
    expect(each.reduce((sum, tills) => sum + tills)).toBe(1000);
    expect([1, 2].map((wait) => new TooManyLogins(wait).message)).toEqual([
      'too many logins at this moment: please try again in 1 second',
      'too many logins at this moment: please try again in 2 seconds',
    ]);
    await Promise.all(jobs);
  });

  test('rejects what waits when it is closed', async () => {
    const jobs = Promise.allSettled([passwords.hash('x'), passwords.hash('x')]);
    await passwords.onApplicationShutdown();
    expect((await jobs).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});

const onLinux = process.platform === 'linux' ? test : test.skip;
onLinux(
  'one hashing thread keeps its priority, so that logins go on beside busy neighbours',
  async () => {
    const lower = String(Math.min(getPriority() + 5, 19));
    const nice = () =>
      readdirSync('/proc/self/task').flatMap((thread) => {
        try {
          const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'latin1');
          return stat.slice(stat.lastIndexOf(')')).split(' ')[17] === lower ? [thread] : [];
        } catch {
          return []; // it has ended
        }
      });
    const before = nice().length;
    const passwords = new PasswordsService(testConfig({ HASH_THREADS: 3 }), testConfig({}));
    await Promise.all(Array.from({ length: 9 }, () => passwords.hash('x')));
    const added = nice().length - before;
    await passwords.onApplicationShutdown();
    expect(added).toBe(2);
  },
);

test('Closing while the threads still load does not abort the process', () => {
  const compiled = join(__dirname, '../../dist/src/users/passwords.service.js');
  const program = `
    import 'reflect-metadata';
    const { PasswordsService } = await import(${JSON.stringify(compiled)});
    for (let round = 0; round < 8; round += 1) {
      const passwords = new PasswordsService({ HASH_THREADS: 2, HASH_QUEUE_MAX: 3, BCRYPT_COST: 4 }, {});
      passwords.hash('x').catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 26 + (round % 8)));
      await passwords.onApplicationShutdown();
    }`;
  const ran = spawnSync(process.execPath, ['--input-type=module', '--eval', program]);
  expect([String(ran.stderr), ran.status]).toEqual(['', 0]);
});
