import { inflateSync } from 'node:zlib';

/** The text of a PDF that Chromium printed, without spaces: it places each word. Fonts are named by their objects. */
export function textOfPdf(pdf: Buffer): string {
  const found = pdf.toString('latin1').matchAll(/(\d+) 0 obj\s([\s\S]*?)endobj/g);
  const objects = new Map([...found].map(([, id, text]) => [id!, textOfObject(text!)]));
  const contents = [...objects.values()].filter((text) => / Tf\b/.test(text) && /T[jJ]/.test(text));
  return contents.map((content) => textOfContent(content, objects)).join('\n');
}

function textOfObject(text: string): string {
  const [, stream] = /stream\r?\n([\s\S]*?)\r?\nendstream/.exec(text) ?? [];
  if (stream === undefined || !text.includes('FlateDecode')) return text;
  return inflateSync(Buffer.from(stream, 'latin1'), { finishFlush: 2 }).toString('latin1');
}

function textOfContent(content: string, objects: ReadonlyMap<string, string>): string {
  let chars = new Map<number, string>();
  let text = '';
  for (const [, font, hex] of content.matchAll(/\/F(\d+) [\d.]+ Tf|<([0-9A-Fa-f]+)>/g)) {
    if (font !== undefined) chars = charsOf(objects, font);
    else
      for (const glyph of hex!.match(/.{4}/g) ?? []) text += chars.get(parseInt(glyph, 16)) ?? '';
  }
  return text.replace(/\s+/g, '');
}

/** The characters of a font's glyphs, from its ToUnicode map. */
function charsOf(objects: ReadonlyMap<string, string>, font: string): Map<number, string> {
  const [, id = ''] = /ToUnicode (\d+) 0 R/.exec(objects.get(font) ?? '') ?? [];
  const map = objects.get(id) ?? '';
  const number = (hex: string): number => parseInt(hex, 16);
  const chars = new Map<number, string>();
  for (const [, from, to, char] of map.matchAll(/<(\w+)> <(\w+)> <(\w+)>/g)) {
    for (let glyph = number(from!); glyph <= number(to!); glyph++)
      chars.set(glyph, String.fromCodePoint(number(char!) + glyph - number(from!)));
  }
  for (const [, glyph, char] of map.matchAll(/^<(\w+)> <(\w+)>$/gm))
    chars.set(number(glyph!), String.fromCodePoint(number(char!)));
  return chars;
}
