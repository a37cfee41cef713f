import { compactText } from '../amounts.js';

export interface Bar {
  readonly label: string;
  /** The label below the chart; empty where there is no room for each. */
  readonly tick: string;
  readonly value: string;
  readonly before?: string | undefined;
  /** The value in words, for the tooltip. */
  readonly text: string;
}

interface BarsProps {
  readonly label: string;
  readonly bars: readonly Bar[];
}

/** Draws bars, and narrow ones beside them for an earlier period; a table has the figures. */
export function Bars({ label, bars }: BarsProps) {
  const heights = bars.flatMap(({ value, before }) => [Number(value), Number(before ?? 0)]);
  const highest = niceAbove(Math.max(0, ...heights));
  const heightOf = (value: string): number => Math.max((Number(value) / highest) * 100, 0);
  const rect = (style: string, x: number, width: number, value: string) => (
    <rect class={style} x={x} width={width} y={100 - heightOf(value)} height={heightOf(value)} />
  );
  return (
    <div class="bars">
      <div class="ticks" aria-hidden="true">
        {[1, 0.5, 0].map((share) => (
          <span key={share}>{compactText(highest * share)}</span>
        ))}
      </div>
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${Math.max(bars.length, 1)} 100`}
        preserveAspectRatio="none"
      >
        {bars.map(({ label: name, value, before, text }, x) => (
          <g key={name}>
            <title>{`${name}: ${text}`}</title>
            <rect class="area" x={x} width={1} height={100} />
            {rect('now', x + 0.14, before === undefined ? 0.72 : 0.46, value)}
            {before !== undefined && rect('before', x + 0.64, 0.22, before)}
          </g>
        ))}
      </svg>
      <div class="labels" aria-hidden="true">
        {bars.map(({ label: name, tick }) => (
          <span key={name}>{tick}</span>
        ))}
      </div>
    </div>
  );
}

/** Explains the two kinds of bars. */
export function BarsKey({ now, before }: { now: string; before?: string | undefined }) {
  return (
    <span class="key note">
      <span class="now">{now}</span>
      {before && <span class="before">{before}</span>}
    </span>
  );
}

/** Returns a round number that is not below the value, and whose half is round too. */
function niceAbove(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 1.2, 1.6, 2, 3, 4, 5, 6, 8].find((each) => each * power >= value) ?? 10);
}
