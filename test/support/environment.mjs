import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';
import { NOT_ON_CITUS } from '../citus/not-on-citus.mjs';

const PARENT_POLL_MS = 250;

/** Node, where a failed test shows what the service logged, and tests end with the runner. */
export default class ServiceEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    const isCluster = process.env.TEST_NODE_URLS.includes(' ');
    this.skipped = isCluster
      ? NOT_ON_CITUS.filter(({ file }) => context.testPath.includes(file))
      : [];
  }

  async setup() {
    await super.setup();
    this.global.serviceErrors = [];
    endWithParent();
  }

  handleTestEvent({ name, test, error }) {
    const lines = this.global.serviceErrors;
    if (name === 'test_start') {
      lines.length = 0;
      if (this.skipped.some(({ test: pattern }) => pattern.test(nameOf(test)))) test.mode = 'skip';
    }
    if ((name !== 'test_fn_failure' && name !== 'hook_failure') || lines.length === 0) return;
    process.stderr.write(
      `\n${test?.name ?? error}: meanwhile the service logged\n${lines.splice(0).join('\n')}\n`,
    );
  }
}

function nameOf({ name, parent }) {
  return parent?.parent ? `${nameOf(parent)} ${name}` : name;
}

let timer;

/** A killed runner tells its workers nothing, and open connections would keep them running. */
function endWithParent() {
  const parent = process.ppid;
  timer ??= setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
  }, PARENT_POLL_MS).unref();
}

const { compileFunction } = vm;

/** By file name; an entry's source is compared, since a test may change a file. */
const kept = new Map();

/** Compiles a module once per worker, not once per test file, which takes 0.6 s of CPU and not 1.0 s. */
vm.compileFunction = (source, parameters, options) => {
  const { filename, parsingContext } = options;
  if (!parsingContext) return compileFunction(source, parameters, options);
  let entry = kept.get(filename);
  if (entry?.source !== source) {
    const head = `(function (${parameters.join()}) {`;
    entry = {
      source,
      script: new vm.Script(`${head}${source}\n})`, { filename, columnOffset: -head.length }),
    };
    kept.set(filename, entry);
  }
  return entry.script.runInContext(parsingContext);
};
