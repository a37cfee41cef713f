/** The figures of one hour, in the contract's order, as the record, the tables and the ledger all name them. */
export const SALES_FIELDS = [
  'orders', 'gto', 'gst', 'svc', 'discount', 'pax', 'cash', 'nets', 'visa', 'master', 'amex', 'voucher', 'other',
] as const; // prettier-ignore

export type SalesField = (typeof SALES_FIELDS)[number];

/** Those that count and are not amounts. */
export const COUNTS: ReadonlySet<SalesField> = new Set<SalesField>(['orders', 'pax']);
