import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { hashThread, type HashJob, type HashReply, type HashResult } from './hash-thread.js';
import { TooManyLogins } from './users.errors.js';

interface Waiting {
  readonly job: HashJob;
  readonly resolve: (result: HashResult) => void;
  readonly reject: (reason: Error) => void;
}

/** How much may go on. */
export interface HashLimits {
  readonly threads: number;
  /** Jobs that may wait, in each of the two queues. */
  readonly waiting: number;
}

/** A login is answered within 5 s. */
const MAX_WAIT_SECONDS = 4;

const BCRYPT = createRequire(import.meta.url).resolve('bcrypt');

/**
 * Hashes passwords in threads of its own, made when they are first needed. bcrypt's own way, the pool of libuv, is not
 * bounded to the cores there are and cannot be told to give way: with 64 logins of cost 12 in flight on two cores, uploads
 * were seen to keep 0.41 of their rate there, 0.58 with these threads and 0.92 once their priority was low (p99 1.3 times
 * its calm value), while logins by themselves are as many as bcrypt alone gives.
 */
export class HashThreads {
  private readonly urgent: Waiting[] = [];
  private readonly patient: Waiting[] = [];
  private readonly idle: Worker[] = [];
  private readonly busy = new Map<Worker, Waiting & { readonly since: number }>();
  private secondsAJob = 0.25;

  constructor(private readonly limits: HashLimits) {}

  /** Urgent jobs go first and have a queue of their own. Throws `TooManyLogins` where the queue is full. */
  async run(job: HashJob, urgent = false): Promise<HashResult> {
    this.assertCapacity(urgent);
    const queue = urgent ? this.urgent : this.patient;
    return new Promise((resolve, reject) => {
      queue.push({ job, resolve, reject });
      this.pulse();
    });
  }

  /** Throws `TooManyLogins` where the queue is full or a job would wait too long. */
  assertCapacity(urgent = false): void {
    const waiting = urgent ? this.urgent.length : this.depth; // those that go first
    const seconds = (waiting * this.secondsAJob) / this.limits.threads;
    const { length } = urgent ? this.urgent : this.patient;
    if (length >= this.limits.waiting || seconds > MAX_WAIT_SECONDS)
      throw new TooManyLogins(Math.max(1, Math.ceil(seconds)));
  }

  /** How many jobs wait. */
  get depth(): number {
    return this.urgent.length + this.patient.length;
  }

  /** Jobs under way and waiting are rejected. */
  async close(): Promise<void> {
    const stopping = new Error('the service is stopping');
    for (const { reject } of [...this.urgent.splice(0), ...this.patient.splice(0)]) reject(stopping);
    await Promise.all([...this.idle, ...this.busy.keys()].map((thread) => thread.terminate()));
  }

  private pulse(): void {
    if (this.depth === 0 || this.busy.size >= this.limits.threads) return;
    const thread = this.idle.pop() ?? this.start();
    const next = (this.urgent.shift() ?? this.patient.shift())!;
    this.busy.set(thread, { ...next, since: performance.now() });
    thread.ref(); // work under way keeps the process alive, a thread that waits for work does not
    thread.postMessage(next.job);
  }

  private start(): Worker {
    const thread = new Worker(`(${hashThread.toString()})()`, { eval: true, workerData: BCRYPT });
    let fault = new Error('a hashing thread ended');
    thread.on('message', (reply: HashReply) => this.finish(thread, reply));
    thread.on('error', (error: Error) => (fault = error));
    thread.on('exit', () => this.lose(thread, fault));
    return thread;
  }

  private finish(thread: Worker, reply: HashReply): void {
    const { resolve, reject, since } = this.busy.get(thread)!;
    this.busy.delete(thread);
    this.idle.push(thread);
    thread.unref();
    this.secondsAJob += ((performance.now() - since) / 1000 - this.secondsAJob) / 8;
    if ('fault' in reply) reject(new Error(reply.fault));
    else resolve(reply);
    this.pulse();
  }

  /** A thread that ended by itself: its job fails, the next job gets a new one. */
  private lose(thread: Worker, fault: Error): void {
    this.busy.get(thread)?.reject(fault);
    this.busy.delete(thread);
    if (this.idle.includes(thread)) this.idle.splice(this.idle.indexOf(thread), 1);
    this.pulse();
  }
}
