import { type Zippable, zipSync } from 'fflate/browser';

export * from 'fflate/browser';

/**
 * Stands for fflate's own in the page (vite.config.mjs), which starts a worker from a blob: address:
 * the content security policy forbids it.
 */
export const zip = (files: Zippable, done: (error: null, zipped: Uint8Array) => void): void =>
  done(null, zipSync(files));
