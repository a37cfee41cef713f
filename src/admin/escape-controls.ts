/** Control and format characters, except the line feed and the two joiners that scripts and emoji need. */
const CONTROLS = /(?![\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Writes characters that could steer a terminal or reorder a line as `\uXXXX`, as JSON does; line feeds stay. */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, escapeUnits);
}

/** Does the same and escapes line feeds too, for texts of one line. */
export function escapeLine(text: string): string {
  return escapeControls(text).replaceAll('\n', escapeUnits);
}

function escapeUnits(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
