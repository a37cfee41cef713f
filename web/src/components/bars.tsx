import { compactText } from '../amounts.js';
import { type DateRange, rangeText } from '../dates.js';

const MAX_TICKS = 12;
/** So many characters of labels fit on a phone; of more, every other label is left out there. */
const PHONE_CHARACTERS = 44;

export interface Bar {
  readonly label: string;
  /** The label below the chart. */
  readonly tick: string;
  readonly value: string;
  readonly before?: string | undefined;
  readonly text: string;
}

interface BarsProps {
  readonly label: string;
  readonly now: DateRange;
  readonly before: DateRange | undefined;
  readonly bars: readonly Bar[];
}

/** Draws bars, and narrow ones beside them for an earlier period; a table has the figures. */
export function Bars({ label, now, before: then, bars }: BarsProps) {
  const step = Math.ceil(bars.length / MAX_TICKS);
  const characters = ((bars[0]?.tick.length ?? 0) + 1) * Math.ceil(bars.length / step);
  const phoneStep = characters > PHONE_CHARACTERS ? 2 * step : step;
  const heights = bars.flatMap(({ value, before }) => [Number(value), Number(before ?? 0)]);
  const highest = niceAbove(Math.max(0, ...heights));
  const heightOf = (value: string): number => Math.max((Number(value) / highest) * 100, 0);
  const rect = (style: string, x: number, width: number, value: string) => (
    <rect class={style} x={x} width={width} y={100 - heightOf(value)} height={heightOf(value)} />
  );
  return (
    <div class="bars">
      <span class="key note">
        <span class="now">{rangeText(now)}</span>
        {then && <span class="before">{rangeText(then)}</span>}
      </span>
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
        {bars.map(({ label: name, tick }, index) => (
          <span key={name} class={index % phoneStep === 0 ? '' : 'wide-only'}>
            {index % step === 0 && tick}
          </span>
        ))}
      </div>
    </div>
  );
}

/** Returns a round number that is not below the value, and whose half is round too. */
function niceAbove(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 1.2, 1.6, 2, 3, 4, 5, 6, 8].find((each) => each * power >= value) ?? 10);
}
