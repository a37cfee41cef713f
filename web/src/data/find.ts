/**
 * Says whether a restaurant has a number, or a name with a text in it, whatever its accents are; or
 * whether each word of the text is its number or begins a word of its name.
 */
export function isFound(
  { restaurant_id: id, name }: { restaurant_id: string; name: string },
  text: string,
): boolean {
  const wanted = plain(text.trim());
  const words = ` ${plain(name)}`;
  return (
    words.includes(wanted) ||
    wanted.split(/\s+/).every((word) => word === id || words.includes(` ${word}`))
  );
}

/** Removes case and accents. */
const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
