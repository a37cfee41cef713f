import { closedLoop } from './closed-loop.mjs';
import { SOURCES } from './sources.mjs';

/** A process that puts load on something: takes one job after the other from its parent and answers what it measured. */
process.on('message', (job) => void work(job).catch((error) => process.send({ failed: error.message })));
process.once('disconnect', () => process.exit());
process.on('SIGINT', () => undefined); // Ctrl-C reaches the whole group; the parent says when to go

async function work(job) {
  const source = await SOURCES[job.source](job);
  const onBegin = () => process.send({ begins: true });
  const onEnd = () => process.send({ ends: true });
  const result = await closedLoop({ ...job, once: source.once, onBegin, onEnd });
  await source.close();
  process.send({ result });
}
