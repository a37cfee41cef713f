import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const COMPRESSED = ['.html', '.js', '.css', '.svg'];

/** Builds the page into dist/web; `vite web` serves it for development, its API on port 3000. */
export default {
  root: import.meta.dirname,
  base: '/app/',
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2000, // Swagger UI, on a page of its own
    assetsInlineLimit: 0, // data: URLs are against the content security policy
    rolldownOptions: {
      checks: { pluginTimings: false }, // a table at each build on a busy machine
      input: ['index.html', 'api.html'].map((name) => join(import.meta.dirname, name)),
    },
  },
  worker: { format: 'es' },
  resolve: {
    alias: [
      { find: /^fflate$/, replacement: join(import.meta.dirname, 'src/export/zip-in-place.ts') },
    ],
  },
  server: { proxy: { '/api': `http://127.0.0.1:${process.env.PORT ?? 3000}` } },
  plugins: [
    {
      name: 'precompress',
      apply: 'build',
      closeBundle: () => precompress(join(import.meta.dirname, '../dist/web')),
    },
  ],
};

/** Writes name.br and name.gz beside each file. */
async function precompress(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter(
    (entry) => entry.isFile() && COMPRESSED.includes(extname(entry.name)),
  );
  for (const { parentPath, name } of files) {
    const path = join(parentPath, name);
    const bytes = await readFile(path);
    await writeFile(`${path}.gz`, gzipSync(bytes, { level: 9 }));
    await writeFile(
      `${path}.br`,
      brotliCompressSync(bytes, {
        params: { [constants.BROTLI_PARAM_QUALITY]: bytes.length > 500_000 ? 5 : 10 },
      }),
    );
  }
}
