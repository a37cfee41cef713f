/** Asks for at most `limit` items of a list, those after a position. */
export interface PageRequest<Position> {
  readonly limit: number;
  readonly after?: Position | undefined;
}

/**
 * Makes a page of up to `limit` items of the rows; a row beyond them shows that a page follows.
 * `next` is the position of the last item; null on the last page.
 */
export function toPage<Item, Position>(
  rows: readonly Item[],
  limit: number,
  positionOf: (item: Item) => Position,
) {
  const items = rows.slice(0, limit);
  return { items, next: rows.length > limit ? positionOf(items.at(-1)!) : null };
}
