import { useState } from 'preact/hooks';
import { useAccount } from '../account.js';
import { countText } from '../amounts.js';
import { Notice } from '../components/notice.js';
import { ComparisonPicker, PeriodPicker } from '../components/period-picker.js';
import { RestaurantPicker } from '../components/restaurant-picker.js';
import { type Period, type PeriodView, type Selection, USUAL_PERIODS } from '../data/selection.js';
import { replaceQuery } from '../route.js';

interface SelectionProps {
  readonly view: PeriodView;
  readonly selection: Selection;
  /** Whether the view compares periods. */
  readonly isCompared?: boolean;
}

type Show = (changes: Readonly<Record<string, string>>) => void;

/** Chooses period, comparison and restaurants of a view; all three are in its address. */
export function SelectionControls({ view, selection, isCompared = true }: SelectionProps) {
  const usual = USUAL_PERIODS[view];
  const { range, period, comparison, ids, unknown, problem, isEmpty } = selection;
  const [isOpen, setOpen] = useState(false);
  const shown = {
    ...(period ? { period: period === usual ? '' : period } : range),
    compare: comparison === 'weeks' ? '' : comparison,
    restaurants: ids.join(),
  };
  const show: Show = (changes) => replaceQuery(view, { ...shown, ...changes });
  const what = isCompared ? 'Period, comparison, restaurants' : 'Period, restaurants';
  return (
    <>
      <button
        type="button"
        class="narrow-only no-print"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? 'Fold away' : what}
      </button>
      <div class={`controls no-print folds ${isOpen ? 'open' : ''}`}>
        <Pickers {...{ selection, usual, isCompared, show }} />
      </div>
      {problem !== undefined && (
        <Notice kind="warn" role="alert">
          {problem} Shown instead: the usual period of this view.
        </Notice>
      )}
      {unknown.length > 0 && <UnknownNotice unknown={unknown} isEmpty={isEmpty} show={show} />}
    </>
  );
}

interface PickersProps extends Pick<SelectionProps, 'selection' | 'isCompared'> {
  readonly usual: Period;
  readonly show: Show;
}

function Pickers({ selection, usual, isCompared = true, show }: PickersProps) {
  const { today, restaurants } = useAccount();
  const { range, period, comparison, ids } = selection;
  return (
    <>
      <PeriodPicker
        today={today}
        range={range}
        period={period}
        choose={(chosen) =>
          show(
            typeof chosen === 'string'
              ? { from: '', to: '', period: chosen === usual ? '' : chosen }
              : { from: chosen.from, to: chosen.to, period: '' },
          )
        }
      />
      {isCompared && (
        <ComparisonPicker
          range={range}
          comparison={comparison}
          choose={(chosen) => show({ compare: chosen === 'weeks' ? '' : chosen })}
        />
      )}
      {restaurants.length > 1 && (
        <RestaurantPicker
          restaurants={restaurants}
          ids={ids}
          choose={(chosen) => show({ restaurants: chosen.join() })}
        />
      )}
    </>
  );
}

interface UnknownNoticeProps {
  readonly unknown: readonly string[];
  readonly isEmpty: boolean;
  readonly show: Show;
}

/** Says which restaurants of the address are not shown, instead of leaving them out silently. */
function UnknownNotice({ unknown, isEmpty, show }: UnknownNoticeProps) {
  const leave = (
    <button type="button" onClick={() => show(isEmpty ? { restaurants: '' } : {})}>
      {isEmpty ? 'Show all of my restaurants' : 'Leave them out'}
    </button>
  );
  return (
    <Notice kind="warn" role="alert" actions={leave}>
      This link is about {countText(unknown.length, 'restaurant')} that your account may not see or
      that {unknown.length === 1 ? 'does' : 'do'} not exist ({unknown.join(', ')}).{' '}
      {isEmpty ? 'Nothing is shown.' : 'What is shown is without them.'}
    </Notice>
  );
}
