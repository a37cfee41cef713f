import {
  amountText,
  averageOf,
  changeOf,
  COMPARABLE_SHARE,
  compactText,
  numberText,
} from './amounts.js';
import type { Compared } from './range/range-data.js';

/** Shows a few numbers before all others, each with its change against earlier ones. */
export function KeyFigures({ of, against }: { of: Compared; against: string }) {
  const { now, before, expected, expectedBefore, sentShare } = of;
  const [average, averageBefore] = [averageOf(now.totals), averageOf(before.totals)];
  const figures = [
    ['Turnover', amountText(now.totals.gto), now.totals.gto, before.totals.gto],
    ['Covers', numberText(now.totals.pax), now.totals.pax, before.totals.pax],
    ['Average per cover', average && amountText(average), average, averageBefore],
  ] as const;
  const hours = (sent: string, all: number) => `${numberText(sent)} of ${numberText(all)}`;
  return (
    <>
      <dl class="key-figures">
        {figures.map(([label, text, value, valueBefore]) => {
          const change = changeOf(value, valueBefore, sentShare);
          return (
            <div class="card">
              <dt>{label}</dt>
              <dd>{text ?? '–'}</dd>
              {change.value !== undefined && (
                <dd class="note">
                  <span class={change.class}>{change.shown}</span> against {against}
                </dd>
              )}
            </div>
          );
        })}
      </dl>
      {sentShare < 1 && (
        <p class="note">
          {sentShare < COMPARABLE_SHARE && 'Not comparable: '}
          {hours(now.hours, expected)} hours were sent, {hours(before.hours, expectedBefore)} of{' '}
          {against}.
        </p>
      )}
    </>
  );
}

interface ChartProps {
  readonly title: string;
  readonly labels: readonly string[];
  readonly values: readonly number[];
  /** Values of a week before, which are drawn as lines above the bars. */
  readonly before: readonly number[];
}

/** Draws bars, and values of a week before as lines; a table of the page has the figures. */
export function Chart({ title, labels, values, before }: ChartProps) {
  const highest = niceAbove(Math.max(0, ...before, ...values));
  const yOf = (value: number): number => 100 - (value / highest) * 100;
  const labelStep = Math.ceil(values.length / 56) * (values.length > 24 ? 7 : 3); // hours or weeks
  return (
    <figure>
      <figcaption>
        {title} {before.some(Boolean) && <small class="note">▬ a week before</small>}
      </figcaption>
      <div class="chart">
        <Texts style="ticks" texts={[1, 0.5, 0].map((share) => compactText(highest * share))} />
        <svg
          role="img"
          aria-label={title}
          viewBox={`0 0 ${values.length} 100`}
          preserveAspectRatio="none"
        >
          {values.map((value, x) => (
            <g>
              <title>{`${labels[x]!}: ${value.toLocaleString()}`}</title>
              <rect opacity={0} x={x} width={1} height={100} />
              <rect class="now" x={x + 0.15} width={0.7} y={yOf(value)} height={100 - yOf(value)} />
              {before[x]! > 0 && (
                <line class="before" x1={x} x2={x + 1} y1={yOf(before[x]!)} y2={yOf(before[x]!)} />
              )}
            </g>
          ))}
        </svg>
        <Texts
          style="labels"
          texts={labels.map((label, x) => (x % labelStep === 0 ? label : ''))}
        />
      </div>
    </figure>
  );
}

function Texts({ style, texts }: { style: string; texts: readonly string[] }) {
  return (
    <div class={style} aria-hidden="true">
      {texts.map((text) => (
        <span>{text}</span>
      ))}
    </div>
  );
}

/** Returns a round number that is not below the value, and whose half is round too. */
function niceAbove(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 1.2, 1.6, 2, 3, 4, 5, 6, 8].find((each) => each * power >= value) ?? 10);
}

/** Draws values as a small area without axes. */
export function SmallChart({ values }: { values: readonly number[] }) {
  const highest = Math.max(...values) || 1;
  const points = values.map((value, index) => `${index},${10 - (value / highest) * 10}`);
  return (
    <svg viewBox={`0 0 ${values.length - 1} 10`} preserveAspectRatio="none" aria-hidden="true">
      <polygon points={`0,10 ${points.join(' ')} ${values.length - 1},10`} />
      <polyline points={points.join(' ')} />
    </svg>
  );
}
