/** A restaurant proposes a target, and head office approves it once. */
export const SALES_TARGET_STATES = ['proposed', 'approved'] as const;
export type SalesTargetState = (typeof SALES_TARGET_STATES)[number];
