import { judge } from './goals.mjs';

const HEADS = {
  'us each': 'CPU µs each',
  rate: 'per second',
  ratio: 'of the reference',
  p50: 'p50 ms',
  p99: 'p99 ms',
  p99Ratio: 'p99 of the reference',
  serverCpu: 'server CPU ms each',
  postgresCpu: 'PostgreSQL CPU ms each',
  loadCpuShare: 'load generator cores',
};

/** The results as Markdown tables, a section a scenario, and what became of the goals. */
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
  const widths = fields.map((_, column) => Math.max(3, ...cells.map((line) => line[column].length)));
  const isNumber = fields.map((field) =>
    rows.every((row) => row[field] === undefined || typeof row[field] === 'number'),
  );
  const lines = cells.map(
    (line) => `| ${line.map((text, column) => pad(text, widths[column], isNumber[column])).join(' | ')} |`,
  );
  const rule = `| ${widths.map((width, column) => (isNumber[column] ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width))).join(' | ')} |`;
  return [lines[0], rule, ...lines.slice(1)].join('\n');
}

function pad(text, width, right) {
  return right ? text.padStart(width) : text.padEnd(width);
}

function cell(value) {
  if (value === undefined) return '';
  if (typeof value !== 'number') return String(value);
  return Number.isInteger(value) || value >= 100 ? String(Math.round(value)) : value.toFixed(value < 10 ? 2 : 1);
}
