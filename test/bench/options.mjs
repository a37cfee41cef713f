import { parseArgs } from 'node:util';

const USAGE = `npm run bench -- [options]
  --only a,b           only these scenarios (--list names them)
  --rounds n           rounds whose median is told, at least 3 (default 3)
  --seconds n          length of one measured slot (default 1)
  --connections a,b    connections of the upload scenario (default 8,32,64)
  --rows n             hourly rows that the growth scenario fills in first (default 480000)
  --uploads n          uploads of the soak scenario (default 1000000)
  --json               print JSON instead of tables
  --tables file        print the tables of an earlier run's JSON and leave
  --list               name the scenarios and leave`;

/** What the command line asks for. Prints the usage and leaves where it cannot be understood. */
export function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: 'string' },
        rounds: { type: 'string', default: '3' },
        seconds: { type: 'string', default: '1' },
        connections: { type: 'string', default: '8,32,64' },
        rows: { type: 'string', default: '480000' },
        uploads: { type: 'string', default: '1000000' },
        tables: { type: 'string' },
        json: { type: 'boolean', default: false },
        list: { type: 'boolean', default: false },
      },
    });
    return {
      ...values,
      only: values.only?.split(','),
      rounds: atLeast(3, 'rounds', values.rounds),
      seconds: atLeast(0.2, 'seconds', values.seconds),
      connections: values.connections.split(',').map((text) => atLeast(1, 'connections', text)),
      rows: atLeast(24, 'rows', values.rows),
      uploads: atLeast(1000, 'uploads', values.uploads),
    };
  } catch (error) {
    process.stderr.write(`${error.message}\n${USAGE}\n`);
    process.exit(2);
  }
}

function atLeast(least, name, text) {
  const number = Number(text);
  if (!(number >= least)) throw new Error(`--${name} must be a number of at least ${least}`);
  return number;
}
