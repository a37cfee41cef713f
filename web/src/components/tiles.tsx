import { MAX_KEPT, useAccount } from '../account.js';
import { amountText, changeOf, changeText, countText, numberText } from '../amounts.js';
import type { Compared } from '../data/compare.js';
import { type Measure, MEASURES } from '../data/measures.js';
import { rangeText } from '../dates.js';
import { textOf } from './columns.js';

interface TilesProps {
  readonly compared: Compared;
  /** Whether the rates of service charge and GST are left out. */
  readonly isShort?: boolean;
}

/** Shows the first figures of a view; changes are those of comparable restaurants. */
export function Tiles({ compared, isShort = false }: TilesProps) {
  const { all, alike, alikeBefore, isOneBase } = compared;
  const tileOf = ({ label, title, kind, value, rateOf }: Measure) => {
    const now = alike && value(alike.totals);
    const then = alikeBefore && value(alikeBefore.totals);
    const isCompared = now !== undefined && then !== undefined;
    const change = isCompared && rateOf === undefined ? changeOf(now, then) : undefined;
    const amount = rateOf && amountText(all.totals[rateOf]);
    const was = isCompared && isOneBase && `was ${textOf(kind, then)}`;
    return (
      <div key={label} title={title}>
        <dt>{label}</dt>
        <dd>{textOf(kind, value(all.totals)) || '–'}</dd>
        <dd class="note">
          {change !== undefined && <Change percent={change} />}{' '}
          {[amount, was].filter(Boolean).join(', ')}
        </dd>
      </div>
    );
  };
  return <dl class="card tiles">{MEASURES.slice(0, isShort ? 6 : undefined).map(tileOf)}</dl>;
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

/** Says below the tiles what they are made of: what was sent, what is compared, what is left out. */
export function Facts({ compared }: { compared: Compared }) {
  const { today } = useAccount();
  const facts = [sentFact(compared, today), comparedFact(compared), leftOutFact(compared)];
  return (
    <ul class="facts note">
      {facts.filter(Boolean).map((fact) => (
        <li key={fact}>{fact}</li>
      ))}
    </ul>
  );
}

function sentFact({ all, sent, rows, range }: Compared, today: string): string {
  const hours = `${countText(Number(all.hours), 'hour')} sent`;
  const missing = Number(all.missing_hours);
  const of =
    rows.length === 1
      ? hours
      : `${hours} by ${sent === rows.length ? '' : `${numberText(sent)} of `}${countText(rows.length, 'restaurant')}`;
  if (missing === 0) return of;
  const state = range.to < today ? 'missing' : 'missing or still to come';
  return `${of}, ${numberText(missing)} of ${numberText(all.expected_hours)} expected hours ${state}`;
}

function comparedFact(compared: Compared): string {
  const { alike, alikeBefore, alikeCount, isListed, isOneBase, before, rows, range, sent } =
    compared;
  if (!before) return '';
  if (!alike || !alikeBefore) {
    const isOpening = rows.some(({ unlike }) => unlike === 'opening');
    if (isOpening) return 'Nothing is compared';
    const empty = sent === 0 ? range : compared.sentBefore === 0 ? before : undefined;
    const reason = isListed ? 'no restaurant sent all of both periods' : 'hours are missing';
    return `Nothing is compared: ${empty ? `no sales of ${rangeText(empty)}` : reason}`;
  }
  if (isOneBase) return `Changes compare with ${rangeText(before)}`;
  const sums = `${amountText(alike.totals.gto)}, was ${amountText(alikeBefore.totals.gto)}`;
  return `Changes are like for like: ${countText(alikeCount, 'restaurant')} complete in both periods, turnover ${sums}`;
}

/** Says which restaurants are not compared, though they sent all of both periods or are too many. */
function leftOutFact({ rows, isListed }: Compared): string {
  if (!isListed)
    return `Of more than ${numberText(MAX_KEPT)} restaurants, who rose, fell or sold nothing is not shown: choose some in Sales`;
  const count = rows.filter(({ unlike }) => unlike === 'opening').length;
  if (count === 0) return '';
  return `${countText(count, 'restaurant')} left out, closed or not yet open for more of one period than of the other`;
}
