import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** One second has this many of the ticks in which Linux states CPU time, on every platform that Node runs on. */
const TICKS_PER_SECOND = 100;

/** The milliseconds of CPU that each of these processes and all of their children have used so far. */
export function cpuOfTrees(pids) {
  const table = readTable();
  return pids.map((pid) => (pid === undefined ? 0 : sumOfTree(table, pid)));
}

/** The process and all of its children. */
export function treeOfProcess(pid) {
  return treeOf(readTable(), pid);
}

/** Resident memory of one process in bytes; 0 where it has ended. */
export function residentMemory(pid) {
  try {
    const text = existsSync('/proc/self/stat')
      ? /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]
      : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
    return Number(text ?? 0) * 1024;
  } catch {
    return 0;
  }
}

function readTable() {
  return existsSync('/proc/self/stat') ? tableOfProc() : tableOfPs();
}

function sumOfTree(table, root) {
  return treeOf(table, root).reduce((sum, pid) => sum + (table.get(pid)?.cpu ?? 0), 0);
}

function treeOf(table, root) {
  const children = [...table].filter(([, { parent }]) => parent === root).map(([pid]) => pid);
  return [root, ...children.flatMap((pid) => treeOf(table, pid))];
}

/** Of each process: its parent, and its CPU including that of its children which have ended. */
function tableOfProc() {
  const table = new Map();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const fields = statOf(name);
    if (fields) table.set(Number(name), { parent: Number(fields[1]), cpu: ticksToMs(fields.slice(11, 15)) });
  }
  return table;
}

/** The fields of /proc/<pid>/stat from the third on, as the name before them may hold blanks and brackets. */
function statOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined; // it has ended meanwhile
  }
}

function ticksToMs(ticks) {
  return (ticks.reduce((sum, text) => sum + Number(text), 0) * 1000) / TICKS_PER_SECOND;
}

/** On other systems; those of a backend that has ended are lost here. */
function tableOfPs() {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,time='], { encoding: 'utf8' }).trim().split('\n');
  return new Map(
    lines.map((line) => {
      const [pid, parent, time] = line.trim().split(/\s+/);
      return [Number(pid), { parent: Number(parent), cpu: clockToMs(time) }];
    }),
  );
}

/** `[[days-]hours:]minutes:seconds[.hundredths]` */
function clockToMs(text) {
  const [clock, days = '0'] = text.split('-').reverse();
  const seconds = clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  return (Number(days) * 86_400 + seconds) * 1000;
}
