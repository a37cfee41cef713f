/** Tests of one PostgreSQL that a cluster cannot pass, each with the reason. */
export const NOT_ON_CITUS = [
  {
    file: 'ledger/ledger',
    test: /refused by UPDATE uploads .* WHERE false$/,
    reason: 'an UPDATE that matches no shard reaches no trigger',
  },
  {
    file: 'ledger/ledger',
    test: /rows of (uploads|sales_days) are kept, .*: (UPDATE|DELETE) is refused/,
    reason: 'the error names a shard instead of the table',
  },
  {
    file: 'ledger/ledger',
    test: /a connection that breaks half-way/,
    reason: 'the lock is waited for on a worker, where the test does not look; see the drills',
  },
  {
    file: 'sales/corrections',
    test: /made on some days|of earlier releases/,
    reason: 'a trigger that is disabled on the coordinator stays on the shards',
  },
  {
    file: 'sales/totals',
    test: /of many days/,
    reason: 'what it undoes takes several commands in one, which a cluster refuses',
  },
  ...['sales/totals', 'sales/expected-version'].map((file) => ({
    file,
    test: /wait for no upload|of an older snapshot|for which it waited/,
    reason: 'the lock is waited for on a worker, where the test does not look',
  })),
];
