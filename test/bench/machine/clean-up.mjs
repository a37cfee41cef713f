/** What must be undone before the program leaves, the last thing first. */
const steps = [];

/** Has `step` run at the end, however the end comes. Returns a function that runs it now instead. */
export function atEnd(step) {
  steps.push(step);
  return async () => {
    const index = steps.indexOf(step);
    if (index < 0) return;
    steps.splice(index, 1);
    await step();
  };
}

let underWay;

/** Whether the end has begun, so that what fails from now on fails because of it. */
export function isEnding() {
  return underWay !== undefined;
}

/** Runs all steps once, whoever asks first; one that fails is told and does not keep the others from running. */
export function cleanUp() {
  return (underWay ??= runSteps());
}

async function runSteps() {
  for (let step = steps.pop(); step; step = steps.pop()) {
    await Promise.resolve(step()).catch((error) => process.stderr.write(`while cleaning up: ${error.message}\n`));
  }
}

/** Also where something throws that nobody catches, a pipe that nobody reads any more for example. */
export function cleanUpOnSignals() {
  const leave = (code) => void cleanUp().then(() => process.exit(code));
  process
    .once('SIGINT', () => leave(130))
    .once('SIGTERM', () => leave(143))
    .once('SIGHUP', () => leave(129));
  process.on('uncaughtException', (error) => {
    if (error.code !== 'EPIPE') process.stderr.write(`${error.stack}\n`);
    leave(1);
  });
}
