import { createContext } from 'preact';
import type { DayResponse } from '../api/shapes.js';
import type { Draft } from './draft.js';

/** What was typed over the figures of a day and is not saved, with the day as it was then. */
interface KeptDraft {
  readonly base: DayResponse;
  readonly draft: Draft;
}

/** Keeps by restaurant and day what was typed, while other views are shown. */
export type Drafts = Map<string, KeptDraft>;

export const DraftsContext = createContext<Drafts>(new Map());

/** Names a day of a restaurant. */
export const draftKey = ({ restaurant_id: id, date }: DayResponse): string => `${id} ${date}`;
