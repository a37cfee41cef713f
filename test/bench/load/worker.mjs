import { closedLoop } from './closed-loop.mjs';
import { SOURCES } from './requests.mjs';
import { serveTills } from './tills.mjs';

/** A process that sends requests: takes one job after the other from its parent and answers what it measured. */
process.on(
  'message',
  (job) =>
    void work(job).then(
      (result) => process.send({ result }),
      (error) => process.send({ failed: error.message }),
    ),
);
process.once('disconnect', () => process.exit());
process.on('SIGINT', () => undefined); // Ctrl-C reaches the whole group; the parent decides when to end

async function work(job) {
  if (job.source === 'tills') return serveTills(job);
  const source = await SOURCES[job.source](job);
  const onBegin = () => process.send({ begins: true });
  const onEnd = () => process.send({ ends: true });
  try {
    return await closedLoop({ ...job, once: source.once, onBegin, onEnd });
  } finally {
    source.close();
  }
}
