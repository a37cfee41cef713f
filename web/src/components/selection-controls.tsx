import { useState } from 'preact/hooks';
import { useAccount } from '../account.js';
import { countText } from '../amounts.js';
import { usualComparison } from '../data/periods.js';
import type { Selection } from '../data/selection.js';
import { replaceQuery, useRoute } from '../route.js';
import type { ViewProps } from '../views.js';
import { Notice } from './notice.js';
import { ComparisonPicker, PeriodPicker } from './period-picker.js';
import { RestaurantPicker } from './restaurant-picker.js';

interface SelectionProps extends Pick<ViewProps, 'usual'> {
  readonly selection: Selection;
  /** Whether the view compares periods. */
  readonly isCompared?: boolean;
}

/** Chooses period, comparison and restaurants of a view; all three are in its address. */
export function SelectionControls({ usual, selection, isCompared = true }: SelectionProps) {
  const { today, count } = useAccount();
  const { view, query } = useRoute();
  const { range, period, comparison, before, ids, unknown, problem, isEmpty } = selection;
  const [isOpen, setOpen] = useState(false);
  const show = (changes: Readonly<Record<string, string>>): void =>
    replaceQuery(view, { ...Object.fromEntries(query), ...changes });
  const key = `${range.from} ${range.to} ${before?.from} ${before?.to}`;
  return (
    <>
      <button
        type="button"
        class="narrow-only no-print"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen
          ? 'Hide filters'
          : isCompared
            ? 'Period, comparison, restaurants'
            : 'Period, restaurants'}
      </button>
      <div class={`controls no-print folds ${isOpen ? 'open' : ''}`}>
        <PeriodPicker
          key={key}
          {...{ today, range, period }}
          choose={(chosen) =>
            show(
              typeof chosen === 'string'
                ? { from: '', to: '', period: chosen === usual ? '' : chosen }
                : { ...chosen, period: '' },
            )
          }
        />
        {isCompared && (
          <ComparisonPicker
            key={`before ${key}`}
            {...{ range, before, comparison }}
            choose={(chosen) =>
              show(
                typeof chosen === 'string'
                  ? { compare: chosen === usualComparison(range) ? '' : chosen, before_from: '', before_to: '' } // prettier-ignore
                  : { compare: '', before_from: chosen.from, before_to: chosen.to },
              )
            }
          />
        )}
        {count > 1 && (
          <RestaurantPicker ids={ids} choose={(chosen) => show({ restaurants: chosen.join() })} />
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
            <button type="button" onClick={() => show({ restaurants: ids.join() })}>
              {isEmpty ? 'Show all of my restaurants' : 'Leave them out'}
            </button>
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
