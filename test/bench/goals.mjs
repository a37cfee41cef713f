/** What the service is meant to reach: a figure of some rows of a scenario, and its bound. Ratios carry over to other machines. */
const GOALS = [
  ['uploads', 'uploads a second, of the reference', isService, 'ratio', 'at least', 0.75],
  ['uploads', 'p99, times the reference', isService, 'p99Ratio', 'at most', 1.5],
  ['uploads', 'service CPU, ms an upload', isServiceAt32, 'serverCpu', 'at most', 0.5],
  ['uploads', 'PostgreSQL CPU, ms an upload', isServiceAt32, 'postgresCpu', 'at most', 0.55],
  ['rejects', 'service CPU, ms a faulty upload', isFaulty, 'serverCpu', 'at most', 0.4],
  ['rejects', 'service CPU, ms without a token', isWithoutToken, 'serverCpu', 'at most', 0.15],
  ['rejects', 'PostgreSQL CPU, ms without a token', isWithoutToken, 'postgresCpu', 'at most', 0.005],
  ['logins', 'logins a second, of bcrypt alone', isService, 'of bcrypt alone', 'at least', 0.95],
  ['growth', 'uploads into filled tables, of empty ones', isFresh, 'of empty', 'at least', 0.9],
  ['crowd', 'uploads among many accounts, of few', () => true, 'of few', 'at least', 0.9],
  ['startup', 'ready with DATABASE_URL, ms', isFigure, 'median', 'at most', 1200],
  ['startup', 'ready with the embedded PostgreSQL, ms', isFigure, 'median', 'at most', 2000],
  ['startup', 'resident memory idle, MB', isFigure, 'median', 'at most', 130],
  ['startup', 'resident memory under uploads, MB', isFigure, 'median', 'at most', 200],
  ['workers', 'two workers, of one', isOfTwo, 'of one worker', 'at least', 1.8],
];

/** Each goal with the worst figure seen; those whose scenario did not run are left out. */
export function judge(scenarios) {
  return GOALS.flatMap(([scenario, goal, matches, figure, bound, limit]) => {
    const rows = scenarios.find(({ name }) => name === scenario)?.rows ?? [];
    const figures = rows.filter((row) => matches(row, goal)).map((row) => row[figure]);
    if (figures.length === 0) return [];
    const seen = bound === 'at least' ? Math.min(...figures) : Math.max(...figures);
    const reached = bound === 'at least' ? seen >= limit : seen <= limit;
    return [{ goal, wanted: `${bound} ${limit}`, 'seen (worst)': seen, reached: reached ? 'yes' : 'no' }];
  });
}

function isService({ contestant }) {
  return contestant === 'service';
}

function isServiceAt32(row) {
  return isService(row) && row.connections === 32;
}

function isFaulty(row) {
  return isService(row) && !isWithoutToken(row);
}

function isWithoutToken(row) {
  return isService(row) && row.fault === 'no token';
}

function isFresh({ pattern }) {
  return pattern === 'fresh';
}

function isFigure({ figure }, goal) {
  return figure === goal;
}

function isOfTwo({ service }) {
  return service === 'WORKERS=2';
}
