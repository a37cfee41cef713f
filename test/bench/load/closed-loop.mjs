import { performance, createHistogram } from 'node:perf_hooks';

/**
 * Keeps `lanes` calls of `once(lane)` under way, each lane's next one beginning when its last one ended, and measures
 * those that end between `warmUpMs` and `warmUpMs + measureMs`. `once` answers an outcome, of which the kinds are counted.
 * The rate is reckoned from the first end to the last one, so that slow calls are not rounded to whole windows.
 */
export async function closedLoop({ lanes, warmUpMs, measureMs, once, onBegin, onEnd }) {
  const latency = createHistogram({ lowest: 1, highest: 120_000_000, figures: 3 });
  const outcomes = {};
  let phase = 'warming up';
  let started = 0;
  const ends = { first: undefined, last: 0 };
  const lane = async (number) => {
    while (phase !== 'over') {
      started++;
      const begin = performance.now();
      const outcome = await once(number);
      if (phase !== 'measuring') continue;
      ends.last = performance.now();
      ends.first ??= ends.last;
      latency.record(Math.max(1, Math.round((ends.last - begin) * 1000)));
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    }
  };
  const running = Promise.all(Array.from({ length: lanes }, (_, number) => lane(number)));
  running.catch(() => undefined); // told below; until then it must not count as unhandled
  await Promise.race([running, wait(warmUpMs)]);
  phase = 'measuring';
  onBegin();
  const [begin, cpu] = [performance.now(), process.cpuUsage()];
  await Promise.race([running, wait(measureMs)]);
  const seconds = (performance.now() - begin) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  phase = 'over';
  onEnd();
  await running;
  const requests = Number(latency.count);
  const rate = ((requests - 1) * 1000) / (ends.last - ends.first);
  const cpuShare = (user + system) / 1_000_000 / seconds;
  const percentile = (rank) => latency.percentile(rank) / 1000;
  return { started, outcomes, requests, rate, cpuShare, p50: percentile(50), p99: percentile(99) };
}

function wait(milliseconds) {
  return new Promise((done) => setTimeout(done, milliseconds));
}
