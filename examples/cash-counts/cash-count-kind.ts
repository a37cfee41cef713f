/** Where the money of a drawer is: the words of the domain cash_count_kind. */
export const KINDS = ['till', 'safe'] as const;

export type Kind = (typeof KINDS)[number];
