import { setFlagsFromString } from 'node:v8';

/**
 * V8 keeps as much room for new objects as the start once needed: 32 MB, a quarter of an idle service. So that room
 * stays as it is while the modules load, whence they are loaded by `import()`, and grows with what requests need.
 */
setFlagsFromString('--semi-space-growth-factor=1');
const { run } = await import('./server/start.js');
await run();
setFlagsFromString('--semi-space-growth-factor=2'); // V8's own

/** Collect when the heap has doubled: by itself V8 waits for up to four times, and uploads saw 230 MB where 170 will do. */
setFlagsFromString('--heap-growing-percent=100');
