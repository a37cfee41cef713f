/** Self time of a V8 CPU profile between two moments, which are milliseconds after the profile began. */
export function selfTimes(profile, fromMs, toMs) {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node.callFrame]));
  const functions = new Map();
  const groups = new Map();
  let busy = 0;
  let clock = 0;
  profile.samples.forEach((id, index) => {
    const spent = (profile.timeDeltas[index + 1] ?? 0) / 1000;
    clock += profile.timeDeltas[index] / 1000;
    const frame = nodes.get(id);
    if (clock < fromMs || clock > toMs || frame.functionName === '(idle)') return;
    busy += spent;
    add(functions, `${frame.functionName || '(anonymous)'} ${placeOf(frame)}`, spent);
    add(groups, groupOf(frame), spent);
  });
  const ranked = (times) => [...times].sort(([, a], [, b]) => b - a).map(([name, ms]) => ({ name, share: ms / busy }));
  return { busyMs: busy, functions: ranked(functions), groups: ranked(groups) };
}

function add(times, name, ms) {
  times.set(name, (times.get(name) ?? 0) + ms);
}

/** The package, the folder of the service, the module of Node, or V8 itself. */
function groupOf({ url, functionName }) {
  if (url === '') return functionName.startsWith('(') ? functionName : 'native functions of V8 and Node';
  const inPackage = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)/.exec(url)?.[1];
  if (inPackage) return inPackage;
  if (url.startsWith('node:')) return url.replace(/^(node:(?:internal\/)?[^/]+).*/, '$1');
  return /\/dist\/(src\/[^/]+)/.exec(url)?.[1] ?? url;
}

function placeOf({ url, lineNumber }) {
  return url === '' ? '' : `${url.replace(/^.*\/(?:node_modules|dist)\//, '')}:${lineNumber + 1}`;
}
