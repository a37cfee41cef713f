import { counter } from './metrics.js';

const FLUSH_MS = 1000;
const SEND_TIMEOUT_MS = 3000;
const MAX_SPANS = 5000;
const SPAN_KINDS = { internal: 1, server: 2 } as const;
const STATUS_ERROR = 2;

const dropped = counter('trace_spans_dropped_total', 'Spans that could not be exported');

/** W3C Trace Context. */
export interface SpanContext {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first span of a trace. */
  readonly parentId: string;
  readonly sampled: boolean;
}

export interface FinishedSpan {
  readonly context: SpanContext;
  readonly name: string;
  readonly kind: 'server' | 'internal';
  /** As of performance.now() */
  readonly startedAt: number;
  readonly failed: boolean;
  readonly attributes: Readonly<Record<string, string | number>>;
}

/** Exports spans by OTLP over HTTP with JSON bodies: see docs/performance.md#tracing */
export class OtlpTracer {
  private readonly url: string;
  private spans: object[] = [];

  constructor(endpoint: string) {
    this.url = `${endpoint.replace(/\/$/, '')}/v1/traces`;
    setInterval(() => void this.flush(), FLUSH_MS).unref();
  }

  add(span: FinishedSpan): void {
    if (this.spans.length < MAX_SPANS) this.spans.push(toOtlp(span));
    else dropped.add();
  }

  async flush(): Promise<void> {
    const spans = this.spans.splice(0);
    if (spans.length === 0) return;
    const resource = { attributes: attributes({ 'service.name': 'sales-upload' }) };
    const body = JSON.stringify({
      resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'sales-upload' }, spans }] }],
    });
    try {
      const headers = { 'Content-Type': 'application/json' };
      const signal = AbortSignal.timeout(SEND_TIMEOUT_MS);
      const { ok } = await fetch(this.url, { method: 'POST', headers, body, signal });
      if (!ok) dropped.add(spans.length);
    } catch {
      dropped.add(spans.length);
    }
  }
}

function toOtlp({ context, name, kind, startedAt, failed, attributes: values }: FinishedSpan): object {
  const { traceId, spanId, parentId } = context;
  return {
    traceId,
    spanId,
    parentSpanId: parentId || undefined,
    name,
    kind: SPAN_KINDS[kind],
    startTimeUnixNano: nanoseconds(startedAt),
    endTimeUnixNano: nanoseconds(performance.now()),
    attributes: attributes(values),
    status: failed ? { code: STATUS_ERROR } : undefined,
  };
}

/** A number holds microseconds exactly, not nanoseconds. */
function nanoseconds(time: number): string {
  return `${Math.round((performance.timeOrigin + time) * 1000)}000`;
}

function attributes(values: Readonly<Record<string, string | number>>): object[] {
  return Object.entries(values).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }));
}
