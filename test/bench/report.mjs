/** What the service is meant to reach: a figure of its rows in a scenario, and its bound. */
const GOALS = [
  ['uploads', 'uploads a second, of the reference', 'of the reference', 'at least', 0.75],
  ['uploads', 'p99, times the reference', 'p99 of the reference', 'at most', 1.5],
  ['uploads', 'uploads a second, of before', 'of before', 'at least', 0.9],
  ['rejects', 'rejects a second, of the reference', 'of the reference', 'at least', 0.75],
  ['logins', 'logins a second, of bcrypt alone', 'of bcrypt alone', 'at least', 0.95],
  ['mixed', 'uploads beside logins, of calm', 'of calm', 'at least', 0.5],
  ['start', 'ready with DATABASE_URL, ms', 'ready ms', 'at most', 1200],
  ['start', 'ready, embedded PostgreSQL, ms', 'embedded ready ms', 'at most', 2000],
  ['start', 'resident memory idle, MB', 'idle MB', 'at most', 130],
  ['start', 'resident memory under uploads, MB', 'under uploads MB', 'at most', 230],
  ['closing-time', 'logins, of bcrypt alone', 'of bcrypt alone', 'at least', 0.95],
  ['closing-time', 'longest wait for a response, s', 'longest wait s', 'at most', 5],
  ['closing-time', 'uploads lost', 'lost', 'at most', 0],
];

/** Each goal of a scenario with the worst figure seen; a goal without a figure is left out. */
export function judge(name, rows) {
  const ofService = rows.filter(({ contestant }) => contestant === 'service');
  return GOALS.filter(([scenario]) => scenario === name).flatMap(
    ([, goal, figure, bound, limit]) => {
      const figures = ofService.map((row) => row[figure]).filter((seen) => seen !== undefined);
      if (figures.length === 0) return [];
      const worst = bound === 'at least' ? Math.min(...figures) : Math.max(...figures);
      const isReached = bound === 'at least' ? worst >= limit : worst <= limit;
      const reached = isReached ? 'yes' : 'no';
      return [{ goal, wanted: `${bound} ${limit}`, 'seen (worst)': worst, reached }];
    },
  );
}

/** A Markdown table under a heading. */
export function toSection(title, rows) {
  const fields = [...new Set(rows.flatMap(Object.keys))];
  const cells = [fields, ...rows.map((row) => fields.map((field) => cell(row[field])))];
  const widths = fields.map((_, column) => Math.max(...cells.map((line) => line[column].length)));
  cells.splice(1, 0, widths.map((width) => '-'.repeat(width))); // prettier-ignore
  const lines = cells.map((line) => line.map((text, column) => text.padEnd(widths[column])));
  return `\n### ${title}\n\n${lines.map((line) => `| ${line.join(' | ')} |\n`).join('')}`;
}

function cell(value = '') {
  if (typeof value !== 'number' || Number.isInteger(value)) return String(value);
  return value.toFixed(value >= 100 ? 0 : value < 10 ? 2 : 1);
}
