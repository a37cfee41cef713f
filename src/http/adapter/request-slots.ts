import type { ServerResponse } from 'node:http';

/** Milliseconds that a disconnected client's request keeps its slot, if it is not done before. */
const MAX_ABANDONED_MS = 10_000;

/** The responses in work, limited in number, with those to disconnected clients. */
export class RequestSlots extends Set<ServerResponse> {
  constructor(private readonly maximum: number) {
    super();
  }

  /** Takes a slot until the response is made; returns false if there is none. */
  acquire(response: ServerResponse): boolean {
    if (this.size >= this.maximum) return false;
    response.once('close', () => {
      if (response.headersSent) this.delete(response);
      else setTimeout(() => this.delete(response), MAX_ABANDONED_MS).unref();
    });
    this.add(response);
    return true;
  }
}
