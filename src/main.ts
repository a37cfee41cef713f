import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// see docs/performance.md#v8-flags
setFlagsFromString('--semi-space-growth-factor=1');
const { run } = await import('./server/start.js');
await run();
setFlagsFromString('--semi-space-growth-factor=2'); // V8's default

setFlagsFromString('--heap-growing-percent=60');
setFlagsFromString('--expose-gc');
(runInNewContext('gc') as () => void)(); // the growth counts from what a collection has left
