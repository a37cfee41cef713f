import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { startReference } from '../contestants/reference.mjs';
import { PASSWORD, UPLOADER } from '../contestants/seed.mjs';
import { logIn } from '../contestants/service.mjs';
import { atEnd } from '../machine/clean-up.mjs';
import { selfTimes } from '../machine/profile.mjs';
import { measureUploads } from './uploading.mjs';

const SECONDS = 6;
const TOLD = 30;
const OVERWRITE = { work: 'uploads', what: { pattern: 'overwrite' } };
const WORKS = [
  OVERWRITE,
  { work: 'one field wrong', what: { pattern: 'resend', spoil: true, expected: 400 } },
  { work: 'no token', what: { pattern: 'resend', tokens: undefined, expected: 401 } },
];

/** Where a server's own CPU goes, after a warm-up: self time by group and by function. */
export const profile = {
  name: 'profile',
  title: 'CPU profiles, 32 connections',
  onlyWhenAsked: true,
  async run(stage) {
    const { token } = await stage.service();
    const url = await stage.seededDatabase('bench_profile');
    const own = await (await stage.postgres()).createDatabase('bench_profile_reference');
    const startOfReference = (options) => startReference(own, stage.secret, options);
    const rows = await record(stage, { name: 'reference', start: startOfReference, logIn: () => token, ...OVERWRITE });
    const start = (options) => stage.startService(url, {}, options);
    const login = (service) => logIn(service, UPLOADER, PASSWORD);
    for (const work of WORKS) rows.push(...(await record(stage, { name: 'service', start, logIn: login, ...work })));
    return rows;
  },
};

async function record(stage, { name, start, logIn: login, work, what }) {
  const folder = await mkdtemp(join(tmpdir(), 'sales-upload-bench-profile-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const spawned = performance.now();
  const server = await start(['--cpu-prof', `--cpu-prof-dir=${folder}`]);
  const contestant = { name, ...server, token: await login(server) };
  const run = (measureMs) => measureUploads(stage, contestant, { lanes: 32, measureMs, ...what });
  await run(3000);
  const fromMs = performance.now() - spawned;
  const { serverCpu, rate } = await run(SECONDS * 1000);
  stage.tell(`profile of the ${name}, ${work}: ${Math.round(rate)}/s`);
  await server.stop(); // the profile is written as it leaves
  const times = selfTimes(await largestIn(folder), fromMs, fromMs + SECONDS * 1000);
  return ['groups', 'functions'].flatMap((kind) =>
    times[kind].slice(0, TOLD).map((entry) => line(`${name}, ${work}`, kind, entry, serverCpu)),
  );
}

/** Threads write profiles of their own; the main thread's is the largest. */
async function largestIn(folder) {
  const names = await readdir(folder);
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return JSON.parse(texts.sort((one, other) => other.length - one.length)[0]);
}

function line(work, by, { name, share }, serverCpu) {
  const us = Math.round(share * serverCpu * 1000);
  return { work, by, 'us each': us, share: `${(share * 100).toFixed(1)} %`, name: name.slice(0, 80) };
}
