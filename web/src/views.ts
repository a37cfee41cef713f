import type { ComponentType } from 'preact';
import type { Period } from './data/periods.js';
import { TodayView } from './today/today-view.js';
import type { Uploads } from './upload/uploads.js';

export interface ViewProps {
  /** The period that the view shows where its address names none. */
  readonly usual: Period;
  /** The files that were chosen, which stay while other views are shown. */
  readonly uploads: Uploads;
}

interface View {
  /** The first part of its address: `sales` of `#/sales?from=2025-10-01`. */
  readonly address: string;
  readonly label: string;
  /** The component, or its name in more-views.ts, which is loaded after the first view. */
  readonly shows: ComponentType<ViewProps> | keyof typeof import('./more-views.js');
  readonly usual?: Period;
  /** The address of the view that the navigation marks where it does not lead to this one; `-` if none. */
  readonly marks?: string;
}

/** All views of the page: a new one is an entry here. */
export const VIEWS: readonly View[] = [
  { address: '', label: 'Today', shows: TodayView },
  { address: 'sales', label: 'Sales', shows: 'SalesView', usual: 'last-28' },
  { address: 'days', label: 'Submissions', shows: 'SentDaysView' },
  { address: 'changes', label: 'Corrections', shows: 'ChangesView', usual: 'last-28' },
  { address: 'upload', label: 'Upload', shows: 'UploadView' },
  { address: 'day', label: 'Day', shows: 'DayView', marks: 'sales' },
  { address: 'account', label: 'Account', shows: 'AccountView', marks: '-' },
  { address: 'words', label: 'Glossary', shows: 'GlossaryView', marks: '-' },
];
