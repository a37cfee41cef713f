import { nthUpload, recordsOf, SAMPLE, VARIANTS } from './days.mjs';

/** Blanks at the end bring all bodies to this length, so that one head fits all. */
const BODY_BYTES = 5_920;

/**
 * Ready bytes of upload requests. The bodies are written once; of an upload only the restaurant and the date, which have
 * the same length in all, are put in anew. Restaurants therefore need identifiers of five digits.
 */
export class UploadRequests {
  #job;
  #heads;
  #bodies;
  #sent;

  constructor(job) {
    this.#job = job;
    this.#sent = job.first ?? 0;
    this.#bodies = Array.from({ length: VARIANTS }, (_, variant) => bodyOf(variant, job.spoil));
    const tokens = job.tokens ?? [undefined];
    this.#heads = tokens.map((token) => headOf(job.port, token, this.#bodies[0].text.length));
  }

  /** Writes the next request into the buffer, and returns the part of it that was written. */
  next(buffer) {
    const n = this.#sent++;
    const { restaurant, date, variant } = nthUpload(this.#job, n);
    const { text, ids, dates } = this.#bodies[variant];
    const head = this.#heads[n % this.#heads.length];
    head.copy(buffer);
    text.copy(buffer, head.length);
    for (const place of ids) buffer.latin1Write(String(restaurant), head.length + place, 5);
    for (const place of dates) buffer.latin1Write(date, head.length + place, 10);
    return buffer.subarray(0, head.length + text.length);
  }
}

function bodyOf(variant, spoil) {
  const records = recordsOf({ ...SAMPLE, variant });
  if (spoil) records[17].gto = -1;
  const json = JSON.stringify({ records }).padEnd(BODY_BYTES);
  const places = (marker) => [...json.matchAll(marker)].map(({ index }) => index + marker.source.length);
  return { text: Buffer.from(json), ids: places(/"restaurant_id":/g), dates: places(/"date":"/g) };
}

function headOf(port, token, length) {
  const lines = [
    'POST /api/v1/sales/upload-daily HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    'Content-Type: application/json',
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
    `Content-Length: ${length}`,
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
}
