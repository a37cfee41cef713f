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

const plainTexts = new Map<string, string>();

/** Removes case and accents; a filter asks for the same names with each key. */
function plain(text: string): string {
  const known = plainTexts.get(text);
  if (known !== undefined) return known;
  const made = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  plainTexts.set(text, made);
  return made;
}
