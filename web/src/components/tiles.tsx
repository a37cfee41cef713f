import type { ComponentChildren } from 'preact';

export interface Tile {
  readonly label: string;
  readonly value: string;
  /** A change against an earlier period, as `+0.5%`. */
  readonly change?: string | undefined;
  readonly note?: ComponentChildren;
  /** A sentence that explains the figure. */
  readonly title?: string;
}

/** Shows a few figures before all others, in one row. */
export function Tiles({ tiles }: { tiles: readonly Tile[] }) {
  return (
    <dl class="card tiles">
      {tiles.map(({ label, value, change, note, title }) => (
        <div key={label} title={title}>
          <dt>{label}</dt>
          <dd>{value}</dd>
          <dd class="note">
            {change && <Change text={change} />} {note}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Shows a change with an arrow, so that its direction is told by more than its colour. */
export function Change({ text }: { text: string }) {
  const isUp = text.startsWith('+');
  const isDown = text.startsWith('−');
  return (
    <span class={isUp ? 'up' : isDown ? 'down' : ''}>
      <span aria-hidden="true">{isUp ? '▲ ' : isDown ? '▼ ' : ''}</span>
      {text}
    </span>
  );
}
