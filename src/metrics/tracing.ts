import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { FinishedSpan, OtlpTracer, SpanContext } from './otlp-tracer.js';

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?=$|-)/;
const LENGTH_OF_VERSION_00 = 55;

const contexts = new AsyncLocalStorage<SpanContext>();
let tracer: OtlpTracer | undefined;

export function startTracing(it: OtlpTracer): void {
  tracer = it;
}

export async function flushSpans(): Promise<void> {
  await tracer?.flush();
}

/** The context of a request: of the trace in its `traceparent` header, or of a new one if tracing is on. */
export function contextOf(header: unknown): SpanContext | undefined {
  const spanId = (): string => randomBytes(8).toString('hex');
  const found = typeof header === 'string' ? TRACEPARENT.exec(header) : null;
  if (found && (!found.input.startsWith('00') || found.input.length === LENGTH_OF_VERSION_00)) {
    const [, traceId, parentId, flags] = found;
    return { traceId: traceId!, parentId: parentId!, spanId: spanId(), sampled: (parseInt(flags!, 16) & 1) === 1 };
  }
  return tracer && { traceId: randomBytes(16).toString('hex'), parentId: '', spanId: spanId(), sampled: true };
}

export function traceparentOf({ traceId, spanId, sampled }: SpanContext): string {
  return `00-${traceId}-${spanId}-0${Number(sampled)}`;
}

/** Runs work whose spans belong to a request. */
export function runInContext(context: SpanContext | undefined, work: () => void): void {
  if (tracer && context) contexts.run(context, work);
  else work();
}

export function addSpan(span: FinishedSpan): void {
  if (span.context.sampled) tracer?.add(span);
}

/** Runs work in a span of its own; without tracing, only runs it. */
export function inSpan<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const parent = tracer && contexts.getStore();
  if (!parent?.sampled) return work();
  const context = { ...parent, parentId: parent.spanId, spanId: randomBytes(8).toString('hex') };
  const startedAt = performance.now();
  const end = (failed: boolean): void =>
    addSpan({ context, name, kind: 'internal', startedAt, failed, attributes: {} });
  const result = contexts.run(context, work);
  result.then(() => end(false), () => end(true)); // prettier-ignore
  return result;
}
