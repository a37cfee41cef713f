import { readFileSync } from 'node:fs';

/** A command of a page, and the JSON that the page shows as its answer, if it shows one. */
export interface Example {
  readonly command: string;
  readonly answer?: string;
}

/** The blocks of a page, each with its language, which may be empty. */
export function blocksOf(page: string): { language: string; text: string }[] {
  const blocks = readFileSync(page, 'utf8').matchAll(/```(\w*)\n([\s\S]*?)```/g);
  return [...blocks].map(([, language, text]) => ({ language: language!, text: text! }));
}

/** The bash blocks of a page in their order, each with the json block that follows it. */
export function examplesOf(page: string): Example[] {
  const blocks = blocksOf(page);
  return blocks.flatMap(({ language, text }, index) => {
    if (language !== 'bash') return [];
    const next = blocks[index + 1];
    return [{ command: text, ...(next?.language === 'json' ? { answer: next.text } : {}) }];
  });
}

/** The given JSON with "..." where the page leaves a value, or the end of a text, open. */
export function matching(answer: unknown): unknown {
  if (answer === '...') return expect.anything();
  if (typeof answer === 'string' && answer.endsWith('...'))
    return expect.stringContaining(answer.slice(0, -3));
  if (Array.isArray(answer)) return answer.map(matching);
  if (typeof answer !== 'object' || answer === null) return answer;
  return Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, matching(value)]));
}
