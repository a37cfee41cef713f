import { readFileSync } from 'node:fs';
import { processesOf } from '../drills/postgres.mjs';

/** Linux states CPU time in ticks of this. */
const TICK_MS = 10;

/** Milliseconds of CPU that a process and its children have used so far; 0 outside of Linux. */
export function cpuOf(pid) {
  try {
    return processesOf(pid).reduce((sum, each) => sum + ticksOf(each) * TICK_MS, 0);
  } catch {
    return 0;
  }
}

/** Of a process and of its children that have ended; 0 if it has ended meanwhile itself. */
function ticksOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = text.slice(text.lastIndexOf(')')).split(' '); // the name before may hold blanks
    return fields.slice(12, 16).reduce((sum, field) => sum + Number(field), 0);
  } catch {
    return 0;
  }
}

/** Resident memory of a process in megabytes; 0 outside of Linux. */
export function residentMegabytes(pid) {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'));
    return (Number(kilobytes) * 1024) / 1e6;
  } catch {
    return 0;
  }
}
