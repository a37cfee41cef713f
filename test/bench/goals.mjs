/** What the service is meant to reach, by scenario: which figure of which rows, and its bound. Ratios carry over to other machines. */
const GOALS = [
  { scenario: 'uploads', goal: 'uploads a second, of the reference', rows: isService, figure: 'ratio', atLeast: 0.75 },
  { scenario: 'uploads', goal: 'p99, times the reference', rows: isService, figure: 'p99Ratio', atMost: 1.5 },
  { scenario: 'uploads', goal: 'service CPU, ms an upload', rows: isServiceAt32, figure: 'serverCpu', atMost: 0.5 },
  {
    scenario: 'uploads',
    goal: 'PostgreSQL CPU, ms an upload',
    rows: isServiceAt32,
    figure: 'postgresCpu',
    atMost: 0.55,
  },
  { scenario: 'rejects', goal: 'service CPU, ms a faulty upload', rows: isFaulty, figure: 'serverCpu', atMost: 0.4 },
  {
    scenario: 'rejects',
    goal: 'service CPU, ms without a token',
    rows: isWithoutToken,
    figure: 'serverCpu',
    atMost: 0.15,
  },
  {
    scenario: 'rejects',
    goal: 'PostgreSQL CPU, ms without a token',
    rows: isWithoutToken,
    figure: 'postgresCpu',
    atMost: 0.005,
  },
  {
    scenario: 'logins',
    goal: 'logins a second, of bcrypt alone',
    rows: isService,
    figure: 'of bcrypt alone',
    atLeast: 0.95,
  },
  {
    scenario: 'growth',
    goal: 'uploads into filled tables, of empty ones',
    rows: isFresh,
    figure: 'of empty',
    atLeast: 0.9,
  },
  { scenario: 'crowd', goal: 'uploads among many accounts, of few', rows: isOfActive, figure: 'of few', atLeast: 0.9 },
  { scenario: 'startup', goal: 'ready with DATABASE_URL, ms', rows: isFigure, figure: 'median', atMost: 1200 },
  {
    scenario: 'startup',
    goal: 'ready with the embedded PostgreSQL, ms',
    rows: isFigure,
    figure: 'median',
    atMost: 2000,
  },
  { scenario: 'startup', goal: 'resident memory idle, MB', rows: isFigure, figure: 'median', atMost: 130 },
  { scenario: 'startup', goal: 'resident memory under uploads, MB', rows: isFigure, figure: 'median', atMost: 200 },
  {
    scenario: 'workers',
    goal: 'two workers, of one',
    rows: ({ service }) => service === 'WORKERS=2',
    figure: 'of one worker',
    atLeast: 1.8,
  },
];

/** Each goal with the worst figure seen; those whose scenario did not run are left out. */
export function judge(scenarios) {
  return GOALS.flatMap(({ scenario, goal, rows, figure, atLeast, atMost }) => {
    const found = scenarios.find(({ name }) => name === scenario)?.rows.filter((row) => rows(row, goal)) ?? [];
    if (found.length === 0) return [];
    const figures = found.map((row) => row[figure]);
    const seen = atMost === undefined ? Math.min(...figures) : Math.max(...figures);
    const reached = atMost === undefined ? seen >= atLeast : seen <= atMost;
    const wanted = atMost === undefined ? `at least ${atLeast}` : `at most ${atMost}`;
    return [{ goal, wanted, 'seen (worst)': seen, reached: reached ? 'yes' : 'no' }];
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

/** Reading a token for the first time costs its signature, whoever else there is. */
function isOfActive({ uploads }) {
  return !uploads.includes('first time');
}

function isFresh({ pattern }) {
  return pattern === 'fresh';
}

function isFigure({ figure }, goal) {
  return figure === goal;
}
