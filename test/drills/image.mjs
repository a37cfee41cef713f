import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { end, ROOT, run, until } from './programs.mjs';
import { CALM_MS } from './scene.mjs';

/** The images that deploy/Dockerfile stands on. */
const [NODE_IMAGE, DEBIAN_IMAGE] = ['node:24-bookworm-slim', 'debian:bookworm-slim'];
const MIRROR = 'http://deb.debian.org/debian';

/**
 * Builds the image of deploy/Dockerfile with buildah, before networks are taken away. Where its
 * base images cannot be had, Debian comes from debootstrap, and Node from the npm package `node`.
 */
export class Image {
  static build() {
    const image = new Image();
    image.folder = mkdtempSync(join(tmpdir(), 'sales-upload-image-'));
    image.makeBases();
    image.buildah(
      'build',
      '--format=docker',
      '--tag=sales-upload',
      '--file=deploy/Dockerfile',
      '.',
    );
    const { Docker } = JSON.parse(image.buildah('inspect', '--type=image', 'sales-upload'));
    image.config = Docker.config;
    const container = image.buildah('from', 'sales-upload').trim();
    image.root = image.buildah('mount', container).trim();
    return image;
  }

  buildah(command, ...args) {
    const store = ['--root', join(this.folder, 'store'), '--runroot', join(this.folder, 'run')];
    const env = { ...process.env, BUILDAH_ISOLATION: 'chroot', STORAGE_DRIVER: 'vfs' };
    return run('buildah', [...store, command, ...args], { cwd: ROOT, env, maxBuffer: 2 ** 28 });
  }

  remove() {
    this.buildah('umount', '--all');
    rmSync(this.folder, { recursive: true });
  }

  makeBases() {
    try {
      for (const name of [NODE_IMAGE, DEBIAN_IMAGE])
        this.buildah('pull', '--quiet', '--retry=0', `docker.io/library/${name}`);
    } catch {
      const debian = join(this.folder, 'debian');
      run('debootstrap', ['--variant=minbase', 'bookworm', debian, MIRROR]);
      this.makeBase(DEBIAN_IMAGE, debian);
      this.addNode(debian);
      this.makeBase(NODE_IMAGE, debian);
    }
  }

  makeBase(name, folder) {
    const file = join(this.folder, 'base');
    // npm must trust what this machine trusts.
    const certificates = process.env.NODE_EXTRA_CA_CERTS;
    const trust = certificates ? 'ENV NODE_EXTRA_CA_CERTS=/ca.pem\n' : '';
    writeFileSync(file, `FROM scratch\nCOPY . /\n${trust}`);
    if (certificates) cpSync(certificates, join(folder, 'ca.pem'));
    this.buildah('build', '--tag', `docker.io/library/${name}`, '--file', file, folder);
  }

  addNode(debian) {
    const node = join(this.folder, 'node');
    mkdirSync(node);
    run('npm', ['install', '--prefix', node, '--no-save', '--ignore-scripts=false', 'node@24']);
    const local = join(debian, 'usr/local');
    cpSync(join(node, 'node_modules/node/bin/node'), join(local, 'bin/node'));
    const npm = join(dirname(process.execPath), '../lib/node_modules/npm');
    cpSync(npm, join(local, 'lib/node_modules/npm'), { recursive: true });
    run('ln', ['-s', '../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm')]);
  }

  /** Mounts the image read-only, as containers of deploy/compose.yaml have it. */
  mount() {
    const { root } = this;
    run('mount', ['--bind', root, root]);
    run('mount', ['-o', 'remount,bind,ro', root]);
    for (const [type, place] of [
      ['tmpfs', 'tmp'],
      ['proc', 'proc'],
    ])
      // prettier-ignore
      run('mount', ['-t', type, type, join(root, place)]);
    run('mount', ['--bind', '/dev', join(root, 'dev')]);
  }

  /** The arguments of `chroot` that run a command as the image's user in its folder. */
  commandLine(settings, command) {
    const { User, Env, WorkingDir } = this.config;
    const env = [...Env, ...Object.entries(settings).map(([name, value]) => `${name}=${value}`)];
    return [
      `--userspec=${User}:${User}`,
      this.root,
      'env',
      '-i',
      '-C',
      WorkingDir,
      ...env,
      ...command,
    ];
  }

  run(settings, ...command) {
    return spawnSync('chroot', this.commandLine(settings, command), { encoding: 'utf8' });
  }
}

/** A container without a runtime: the image's command is process 1 of its own. */
class Container {
  constructor(image, settings) {
    Object.assign(this, { image, settings });
  }

  async start() {
    const { image, settings } = this;
    const command = image.commandLine(settings, image.config.Cmd);
    const options = { stdio: ['ignore', 'pipe', 2] };
    this.child = spawn(
      'unshare',
      ['--pid', '--fork', '--kill-child', 'chroot', ...command],
      options,
    );
    this.log = '';
    this.child.stdout.on('data', (chunk) => (this.log += chunk));
    await until(() => this.isReady(), 'the container to be ready');
  }

  isReady() {
    if (this.child.exitCode !== null) throw new Error(`the container ended: ${this.log}`);
    const url = `http://${this.settings.HOST}:3000/health/ready`;
    return fetch(url).then(({ ok }) => ok).catch(() => false); // prettier-ignore
  }

  get pid() {
    const { pid } = this.child;
    return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim());
  }

  /** Sends the image's stop signal to process 1. */
  async stop() {
    if (this.child.exitCode !== null) return;
    process.kill(this.pid, this.image.config.StopSignal ?? 'SIGTERM');
    const timer = setTimeout(() => this.child.kill('SIGKILL'), 20_000);
    await once(this.child, 'exit');
    clearTimeout(timer);
    assert.equal(this.child.exitCode, 0, `the container ended with ${this.child.exitCode}`);
  }
}

/** The proxy of deploy/compose.yaml, on addresses of this machine. */
async function startProxy(folder, hosts) {
  const file = join(folder, 'compose.conf');
  const text = readFileSync(join(ROOT, 'deploy/nginx/compose.conf'), 'utf8');
  const replaced = ['a', 'b'].reduce(
    (conf, name, index) => conf.replace(`service-${name}:3000`, `${hosts[index]}:3000`),
    text
      .replaceAll('/etc/nginx/snippets/', join(ROOT, 'deploy/nginx/'))
      .replace('http {', 'http { access_log off;'),
  );
  writeFileSync(file, replaced);
  const options = `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log;`;
  const proxy = spawn('nginx', ['-c', file, '-p', folder, '-g', options], { stdio: 'inherit' });
  const port = 8080;
  const answers = () => fetch(`http://127.0.0.1:${port}/health/live`).then(({ ok }) => ok).catch(() => false); // prettier-ignore
  await until(answers, 'nginx to answer');
  return { port, stop: () => end(proxy, 'SIGTERM') };
}

/** Two containers behind nginx, as in deploy/compose.yaml, which are restarted one after the other. */
export async function serveFromImage(scene) {
  const image = JSON.parse(process.env.DRILLS_IMAGE, (key, value) =>
    key === '' ? Object.assign(new Image(), value) : value,
  );
  image.mount();
  const settings = {
    DATABASE_URL: scene.postgres.url(),
    MIGRATE_ON_START: 'false',
    JWT_SECRET: 'kJ8sd7Gh2lPq9xVb4nZm1wEr6tYu3iOa5cDf0',
    TRUST_PROXY: '127.0.0.1',
    SHUTDOWN_DELAY_MS: '500',
    METRICS_PORT: '9464',
  };
  const hosts = ['127.0.0.2', '127.0.0.3'];
  const containers = hosts.map(
    (HOST) => new Container(image, { ...settings, HOST, METRICS_HOST: HOST }),
  );
  for (const container of containers) {
    await container.start();
    scene.cleanUp.push(() => container.stop());
  }
  const [first] = containers;
  const status = readFileSync(`/proc/${first.pid}/status`, 'utf8');
  assert.match(status, /^Uid:\s10001\s10001/m);
  assert.match(status, /^NSpid:\s.*\s1$/m, 'it is not process 1');
  const written = spawnSync('touch', [join(image.root, 'written')]); // as root
  assert.notEqual(written.status, 0, 'the image can be written');
  const [kind, ...check] = image.config.Healthcheck.Test;
  assert.equal(kind, 'CMD');
  assert.equal(image.run({ HOST: first.settings.HOST }, ...check).status, 0, 'the health check');
  const { stdout } = image.run(first.settings, 'node', 'dist/src/cli.js', 'user', 'list');
  assert.match(stdout, /^till\b/m);

  const proxy = await startProxy(scene.folder, hosts);
  scene.cleanUp.push(() => proxy.stop());
  await scene.begin([proxy]);
  for (const container of containers) {
    await container.stop();
    await container.start();
    await delay(1000);
  }
  await delay(CALM_MS);
  const { other, none } = scene.load;
  assert.deepEqual([other, none], [{}, 0], 'uploads were not served all the time');
  const metrics = await (await fetch(`http://${hosts[0]}:9464/metrics`)).text();
  assert.match(metrics, /^http_request_duration_seconds_count\{.*upload-daily.* [1-9]/m);
}

export const canBuild = () =>
  process.getuid() === 0 && spawnSync('buildah', ['--version']).status === 0;

export const IMAGE_DRILLS = [
  [
    'image',
    ['an image built by buildah', 'nginx'],
    'two containers of it behind nginx are restarted one after the other',
    serveFromImage,
  ],
];
