import { amountText, changeOf, changeText, percentText } from '../amounts.js';
import type { Compared } from '../data/compare.js';
import { MEASURES, rateOf, RATES } from '../data/measures.js';

interface Tile {
  readonly label: string;
  readonly value: string;
  /** A change against an earlier period in percent. */
  readonly change?: string | undefined;
  readonly note: string;
  /** A sentence that explains the figure. */
  readonly title: string;
}

interface TilesProps {
  readonly compared: Compared;
  /** Whether the rates of service charge and GST are left out. */
  readonly isShort?: boolean;
}

/** Shows the figures that stand before all others; changes are those of comparable restaurants. */
export function Tiles({ compared, isShort = false }: TilesProps) {
  const tiles = [
    ...MEASURES.map((measure) => measureTile(compared, measure)),
    ...RATES.slice(0, isShort ? 1 : undefined).map((rate) => rateTile(compared, rate)),
  ];
  return (
    <dl class="card tiles">
      {tiles.map(({ label, value, change, note, title }) => (
        <div key={label} title={title}>
          <dt>{label}</dt>
          <dd>{value}</dd>
          <dd class="note">
            {change !== undefined && <Change percent={change} />} {note}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function measureTile(compared: Compared, measure: (typeof MEASURES)[number]): Tile {
  const { label, title, valueOf, write } = measure;
  const { all, alike, alikeBefore, isOneBase } = compared;
  const value = valueOf(all.totals);
  const now = alike && valueOf(alike.totals);
  const then = alikeBefore && valueOf(alikeBefore.totals);
  const change = now !== undefined && then !== undefined ? changeOf(now, then) : undefined;
  const note = change !== undefined && isOneBase ? `was ${write(then!)}` : '';
  return { label, title, value: value === undefined ? '–' : write(value), change, note };
}

function rateTile(compared: Compared, [label, title, field]: (typeof RATES)[number]): Tile {
  const { all, alikeBefore, isOneBase } = compared;
  const now = rateOf(all.totals, field);
  const then = isOneBase && alikeBefore ? rateOf(alikeBefore.totals, field) : undefined;
  const note = amountText(all.totals[field]) + (then ? `, was ${percentText(then)}` : '');
  return { label, title, value: now === undefined ? '–' : percentText(now), note };
}

interface ChangeProps {
  readonly percent: string | undefined;
  /** Why the change is not like for like; it is grey then. */
  readonly unlike?: string | undefined;
}

/** Shows a change with an arrow, so that its direction is told by more than its colour. */
export function Change({ percent, unlike }: ChangeProps) {
  if (percent === undefined) return <span class="note">–</span>;
  const text = changeText(percent);
  if (unlike !== undefined)
    return (
      <span class="note" title={unlike}>
        {text}
      </span>
    );
  const [style, arrow] = { '+': ['up', '▲ '], '−': ['down', '▼ '] }[text.charAt(0)] ?? ['', ''];
  return (
    <span class={style}>
      <span aria-hidden="true">{arrow}</span>
      {text}
    </span>
  );
}
