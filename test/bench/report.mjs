/** What the service is meant to reach: a figure of some rows of a scenario, and its bound. */
const GOALS = [
  ['uploads', 'uploads a second, of the reference', isService, 'ofReference', 'at least', 0.75],
  ['uploads', 'p99, times the reference', isService, 'p99Ratio', 'at most', 1.5],
  ['uploads', 'uploads a second, of before', isService, 'ofBefore', 'at least', 0.9],
  ['rejects', 'rejects a second, of the reference', isService, 'ofReference', 'at least', 0.75],
  ['logins', 'logins a second, of bcrypt alone', isService, 'of bcrypt alone', 'at least', 0.95],
  ['mixed', 'uploads beside logins, of calm', isStorm, 'of calm', 'at least', 0.5],
  ['start', 'ready with DATABASE_URL, ms', isService, 'ready ms', 'at most', 1200],
  ['start', 'ready, embedded PostgreSQL, ms', isService, 'embedded ready ms', 'at most', 2000],
  ['start', 'resident memory idle, MB', isService, 'idle MB', 'at most', 130],
  ['start', 'resident memory under uploads, MB', isService, 'under uploads MB', 'at most', 230],
  ['closing-time', 'logins, of bcrypt alone', isService, 'of bcrypt alone', 'at least', 0.95],
  ['closing-time', 'longest wait for a response, s', isService, 'longest wait s', 'at most', 5],
  ['closing-time', 'uploads lost', isService, 'lost', 'at most', 0],
];

const HEADS = {
  rate: 'per second',
  ofReference: 'of the reference',
  ofBefore: 'of before',
  p50: 'p50 ms',
  p99: 'p99 ms',
  p99Ratio: 'p99 of the reference',
  serverCpu: 'server CPU ms each',
  postgresCpu: 'PostgreSQL CPU ms each',
  loadCpuShare: 'load generator cores',
};

/** Renders the results as Markdown tables, a section for each scenario and one for the goals. */
export function toMarkdown({ machine, scenarios }) {
  const goals = judge(scenarios);
  const all = goals.length > 0 ? [...scenarios, { title: 'Goals', rows: goals }] : scenarios;
  const sections = all.map(({ title, rows }) => `### ${title}\n\n${tableOf(rows)}\n`);
  return [`${machineLine(machine)}\n`, ...sections].join('\n');
}

function machineLine({ date, cores, model, memoryGb, node, postgres }) {
  return `${date}, ${cores} cores (${model}), ${memoryGb} GB, Node ${node}, PostgreSQL ${postgres} on the same machine`;
}

function tableOf(rows) {
  const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = [
    fields.map((field) => HEADS[field] ?? field),
    ...rows.map((row) => fields.map((field) => cell(row[field]))),
  ];
  const widths = fields.map((_, column) => Math.max(...cells.map((line) => line[column].length)));
  const lines = cells.map((line) => line.map((text, column) => text.padEnd(widths[column])));
  const rule = widths.map((width) => '-'.repeat(width));
  return [lines[0], rule, ...lines.slice(1)].map((line) => `| ${line.join(' | ')} |`).join('\n');
}

function cell(value) {
  if (value === undefined) return '';
  if (typeof value !== 'number') return String(value);
  return Number.isInteger(value) || value >= 100
    ? String(Math.round(value))
    : value.toFixed(value < 10 ? 2 : 1);
}

/** Each goal with the worst figure seen; a goal without a figure is left out. */
function judge(scenarios) {
  return GOALS.flatMap(([scenario, goal, matches, figure, bound, limit]) => {
    const rows = scenarios.find(({ name }) => name === scenario)?.rows.filter(matches) ?? [];
    const figures = rows.map((row) => row[figure]).filter((seen) => seen !== undefined);
    if (figures.length === 0) return [];
    const worst = bound === 'at least' ? Math.min(...figures) : Math.max(...figures);
    const reached = (bound === 'at least' ? worst >= limit : worst <= limit) ? 'yes' : 'no';
    return [{ goal, wanted: `${bound} ${limit}`, 'seen (worst)': worst, reached }];
  });
}

function isService({ contestant }) {
  return contestant === 'service';
}

function isStorm(row) {
  return isService(row) && row.while === 'logins';
}
