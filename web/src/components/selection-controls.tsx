import { useState } from 'preact/hooks';
import { useAccount } from '../account.js';
import { countText } from '../amounts.js';
import { COMPARISONS, PERIODS, usualComparison } from '../data/periods.js';
import type { Selection } from '../data/selection.js';
import { changeQuery } from '../route.js';
import type { ViewProps } from '../views.js';
import { Button } from './button.js';
import { Notice } from './card.js';
import { PeriodPicker } from './period-picker.js';
import { RestaurantPicker } from './restaurant-picker.js';

interface SelectionProps extends Pick<ViewProps, 'usual'> {
  readonly selection: Selection;
  readonly isCompared?: boolean;
}

/** Chooses period, comparison and restaurants of a view; all three are in its address. */
export function SelectionControls({ usual, selection, isCompared = true }: SelectionProps) {
  const { count } = useAccount();
  const { range, period, comparison, before, ids, unknown, problem, isEmpty } = selection;
  const [isOpen, setOpen] = useState(false);
  const filters = isCompared ? 'Period, comparison, restaurants' : 'Period, restaurants';
  return (
    <>
      <button
        type="button"
        class="narrow-only no-print"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? 'Hide filters' : filters}
      </button>
      <div class={`controls no-print folds ${isOpen ? 'open' : ''}`}>
        <PeriodPicker
          key={`${range.from} ${range.to}`}
          label="Period"
          names={PERIODS}
          value={period}
          usual={usual}
          range={range}
          query="period"
        />
        {isCompared && (
          <PeriodPicker
            key={`before ${before?.from} ${before?.to}`}
            label="Compare with"
            names={COMPARISONS}
            value={comparison}
            usual={usualComparison(range)}
            range={before ?? range}
            query="compare"
            prefix="before_"
          />
        )}
        {count > 1 && (
          <RestaurantPicker
            ids={ids}
            choose={(chosen) => changeQuery({ restaurants: chosen.join() })}
          />
        )}
      </div>
      {problem !== undefined && (
        <Notice kind="warn" role="alert">
          {problem}
        </Notice>
      )}
      {unknown.length > 0 && (
        <Notice
          kind="warn"
          role="alert"
          actions={
            <Button act={() => changeQuery({ restaurants: ids.join() })}>
              {isEmpty ? 'Show all of my restaurants' : 'Leave them out'}
            </Button>
          }
        >
          This link is about {countText(unknown.length, 'restaurant')} that your account may not see
          or that {unknown.length === 1 ? 'does' : 'do'} not exist ({unknown.join(', ')}).{' '}
          {isEmpty ? 'Nothing is shown.' : 'What is shown is without them.'}
        </Notice>
      )}
    </>
  );
}
