/** Where a bar is drawn: standard error, which `columns` tells to be a terminal. */
interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const WIDTH = 30;
const EVERY_MS = 100;

/** How far a long command has come, on one line of the terminal; nothing at all where standard error is none. */
export class ProgressBar {
  private drawnAt = 0;

  /** `what` is counted: `hours`. */
  constructor(
    private readonly total: number,
    private readonly what: string,
    private readonly screen: Screen = process.stderr,
  ) {}

  /** Whether anybody sees it, and a total is worth counting. */
  static isSeen(screen: Screen = process.stderr): boolean {
    return screen.isTTY === true;
  }

  update(done: number): void {
    const now = Date.now();
    if (!ProgressBar.isSeen(this.screen) || now - this.drawnAt < EVERY_MS) return;
    this.drawnAt = now;
    const share = this.total > 0 ? Math.min(1, done / this.total) : 0;
    const bar = '#'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH, '.');
    const counts = `${done.toLocaleString('en')} of ${this.total.toLocaleString('en')} ${this.what}`;
    const line = `[${bar}] ${Math.floor(share * 100)} %  ${counts}`;
    this.screen.write(`\r\u001b[K${line.slice(0, (this.screen.columns ?? 80) - 1)}`);
  }

  /** Clears the line, for what is written next. */
  end(): void {
    if (this.drawnAt > 0) this.screen.write('\r\u001b[K');
  }
}
