import { useEffect } from 'preact/hooks';
import { useAccount } from '../account.js';
import { countText } from '../amounts.js';
import { type Selection, selectionOf } from '../data/selection.js';
import { loadSentDays, weeksUntil } from '../data/sent-days.js';
import { addDays, longDate, placeOf, rangeText, shortDate, timeText } from '../dates.js';
import { Heading, useRoute } from '../route.js';
import { SalesFigures } from '../sales/sales-figures.js';
import { SelectionControls } from '../sales/selection-controls.js';
import { Progress, useLoad, useWhenInFront } from '../use-load.js';
import { MissingCard } from './missing-card.js';

const REFRESH_MS = 60_000;

/** Answers what head office asks in the morning: who has not sent, and what was sold yesterday. */
export function TodayView() {
  const account = useAccount();
  const { today, timeZone, currency, restaurants, reload } = account;
  const { query } = useRoute();
  const yesterday = addDays(today, -1);
  const sent = useLoad((signal) => loadSentDays(weeksUntil(today), signal), [today]);
  useWhenInFront(sent.refresh, true, REFRESH_MS);
  useEffect(() => {
    if (sent.value && sent.value.today !== today) reload();
  }, [sent.value]);
  const selection = selectionOf(query, account, '');
  return (
    <>
      <Heading text={longDate(today)}>
        {countText(restaurants.length, 'restaurant')} · days end at midnight in {placeOf(timeZone)}{' '}
        · amounts in {currency}
        {sent.at !== undefined && ` · as of ${timeText(sent.at, timeZone)}, follows by itself`}
      </Heading>
      <Progress of={sent} />
      {sent.value && <MissingCard sent={sent.value} date={yesterday} />}
      <Sold selection={selection} />
      <p class="note">
        More: <a href="#/sales">any period in Sales</a>, <a href="#/days">all sent days</a>,{' '}
        <a href="#/changes">what was changed afterwards</a>. {shortDate(today)} itself is not
        counted before it is over.
      </p>
    </>
  );
}

/** Shows what was sold, yesterday if nothing else was chosen. */
function Sold({ selection }: { selection: Selection }) {
  const { range, before, period, ids, isEmpty } = selection;
  return (
    <>
      <div class="heading">
        <div>
          <h2 class="title">{period === 'yesterday' ? 'Yesterday' : 'Sales'}</h2>
          <p class="sub">
            {rangeText(range)}
            {before && `, compared with ${rangeText(before)}`}
          </p>
        </div>
        <SelectionControls view="" selection={selection} />
      </div>
      {!isEmpty && <SalesFigures range={range} before={before} ids={ids} />}
    </>
  );
}
