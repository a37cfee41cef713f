/** All but the line feed and the two joiners that scripts and emoji need. */
const CONTROLS = /(?![\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Writes characters that could steer a terminal as `\uXXXX`, as in JSON; line feeds stay. */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, escapeUnits);
}

/** Escapes line feeds too. */
export function escapeLine(text: string): string {
  return escapeControls(text).replaceAll('\n', escapeUnits);
}

function escapeUnits(character: string): string {
  return character.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
