import { SingleBar } from 'cli-progress';

/** Shows the progress of a command on a terminal, and nothing elsewhere. */
export function startProgressBar(total: number, unit: string): SingleBar {
  const bar = new SingleBar({
    format: `[{bar}] {percentage} %  {value} of {total} ${unit}`,
    formatValue: (value) => value.toLocaleString('en'),
    barCompleteChar: '#',
    barIncompleteChar: '.',
    barsize: 30,
    stream: process.stderr,
    clearOnComplete: true,
    linewrap: true, // Ctrl-C would leave it off
  });
  bar.start(total, 0);
  return bar;
}
