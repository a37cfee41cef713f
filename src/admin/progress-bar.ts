interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const BAR_WIDTH = 30;
const REDRAW_INTERVAL_MS = 100;

/** Shows the progress of a command on a terminal. */
export class ProgressBar {
  private drawnAt = 0;

  constructor(
    private readonly total: number,
    private readonly unit: string,
    private readonly screen: Screen = process.stderr,
  ) {}

  static isSeen(screen: Screen = process.stderr): boolean {
    return screen.isTTY === true;
  }

  update(done: number): void {
    const now = Date.now();
    if (!ProgressBar.isSeen(this.screen) || now - this.drawnAt < REDRAW_INTERVAL_MS) return;
    this.drawnAt = now;
    const share = this.total > 0 ? Math.min(1, done / this.total) : 0;
    const bar = '#'.repeat(Math.round(share * BAR_WIDTH)).padEnd(BAR_WIDTH, '.');
    const counts = `${done.toLocaleString('en')} of ${this.total.toLocaleString('en')} ${this.unit}`;
    const line = `[${bar}] ${Math.floor(share * 100)} %  ${counts}`;
    this.screen.write(`\r\u001b[K${line.slice(0, (this.screen.columns ?? 80) - 1)}`);
  }

  end(): void {
    if (this.drawnAt > 0) this.screen.write('\r\u001b[K');
  }
}
