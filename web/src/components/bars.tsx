import { compactText } from '../amounts.js';
import { type DateRange, rangeText } from '../dates.js';
import { type Field, type Figures, figureText } from '../fields.js';

const MAX_TICKS = 12;
/** So many characters of labels fit on a phone; of more, every other label is left out there. */
const PHONE_CHARACTERS = 44;

interface Line {
  readonly label: string;
  /** The label below the chart. */
  readonly tick: string;
  readonly totals: Figures;
}

interface BarsProps {
  readonly label: string;
  readonly field: Field;
  readonly now: DateRange;
  readonly before: DateRange | undefined;
  readonly rows: readonly { readonly now: Line; readonly before: Line | undefined }[];
}

/** Draws bars, and narrow ones beside them for an earlier period; a table has the figures. */
export function Bars({ label, field, now, before: then, rows }: BarsProps) {
  const step = Math.ceil(rows.length / MAX_TICKS);
  const characters = ((rows[0]?.now.tick.length ?? 0) + 1) * Math.ceil(rows.length / step);
  const phoneStep = characters > PHONE_CHARACTERS ? 2 * step : step;
  const valueOf = (line?: Line): number => Number(line?.totals[field] ?? 0);
  const values = rows.flatMap((row) => [valueOf(row.now), valueOf(row.before)]);
  const highest = niceAbove(Math.max(0, ...values));
  const rect = (style: string, x: number, width: number, line: Line) => {
    const height = Math.max((valueOf(line) / highest) * 100, 0);
    return <rect class={style} x={x} width={width} y={100 - height} height={height} />;
  };
  const textOf = (line?: Line) => line && `${line.label}: ${figureText(field, line.totals[field])}`;
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
        viewBox={`0 0 ${Math.max(rows.length, 1)} 100`}
        preserveAspectRatio="none"
      >
        {rows.map((row, x) => (
          <g key={row.now.label}>
            <title>{[row.now, row.before].map(textOf).filter(Boolean).join('; ')}</title>
            <rect class="area" x={x} width={1} height={100} />
            {rect('now', x + 0.14, row.before ? 0.46 : 0.72, row.now)}
            {row.before && rect('before', x + 0.64, 0.22, row.before)}
          </g>
        ))}
      </svg>
      <div class="labels" aria-hidden="true">
        {rows.map(({ now: { label: name, tick } }, index) => (
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
