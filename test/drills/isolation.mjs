import { spawnSync } from 'node:child_process';

const OWN = ['--net', '--mount', '--pid', '--fork', '--mount-proc', '--kill-child'];

export const isIsolated = process.env.DRILLS_ISOLATED === 'true';

/** Where root may do so, runs this program again with networks, mounts and processes of its own that end with it. */
export function isolate() {
  if (isIsolated || spawnSync('unshare', [...OWN, 'ip', 'link', 'set', 'lo', 'up']).status !== 0)
    return false;
  // The shell is process 1 and reaps what outlives its parent.
  const prepare =
    'ip link set lo up && mkdir -p /run/netns && mount -t tmpfs tmpfs /run/netns && "$@"; exit $?';
  const again = ['sh', '-c', prepare, 'sh', process.execPath, ...process.argv.slice(1)];
  const env = { ...process.env, DRILLS_ISOLATED: 'true' };
  process.exitCode =
    spawnSync('unshare', [...OWN, ...again], { env, stdio: 'inherit' }).status ?? 1;
  return true;
}
