/** Scripts and emoji need the joiners. */
const CONTROLS = /(?![\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Escapes characters that could steer a terminal, but no line feeds. */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, escapeUnits);
}

export function escapeLine(text: string): string {
  return escapeControls(text).replaceAll('\n', escapeUnits);
}

function escapeUnits(character: string): string {
  return character.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
