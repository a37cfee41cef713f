import vm from 'node:vm';

const { compileFunction } = vm;

/** By file name; an entry's source is compared, since a test may change a file. */
const kept = new Map();

/** Compiles a module once per worker in place of Jest's once per test file; see docs/performance.md#test-modules. */
vm.compileFunction = (source, parameters, options) => {
  const { filename, parsingContext } = options;
  if (!parsingContext) return compileFunction(source, parameters, options);
  let entry = kept.get(filename);
  if (entry?.source !== source) {
    const head = `(function (${parameters.join()}) {`;
    entry = { source, script: new vm.Script(`${head}${source}\n})`, { filename, columnOffset: -head.length }) };
    kept.set(filename, entry);
  }
  return entry.script.runInContext(parsingContext);
};
