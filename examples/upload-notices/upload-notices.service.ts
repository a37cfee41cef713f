import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { OnEvent } from '@nestjs/event-emitter';
import { Counter } from 'prom-client';
import { listHours } from '../../src/calendar/hour-set.js';
import { gauge } from '../../src/metrics/gauge.js';
import { UploadSaved } from '../../src/sales/uploads/uploads.events.js';
import { UploadNoticesConfig } from './upload-notices.config.js';
import { type NoticedUpload, UploadNoticesRepository } from './upload-notices.repository.js';

/** Notices that are posted at once. */
const BATCH = 20;
const INTERVAL_MS = 5_000;
/** Less than the minute for which a notice is taken. */
const TIMEOUT_MS = 10_000;

const posts = new Counter({
  name: 'upload_notices_posted_total',
  help: 'Notices that were posted',
  labelNames: ['outcome'],
});

/** Tells a receiver of every saved upload, at least once. */
@Injectable()
export class UploadNoticesService implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger('UploadNotices');
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  constructor(
    private readonly repository: UploadNoticesRepository,
    private readonly config: UploadNoticesConfig,
  ) {}

  onModuleInit(): void {
    gauge('upload_notices_waiting', 'Uploads of which the receiver was not told yet', () =>
      this.repository.count(),
    );
    if (this.config.UPLOAD_NOTICES_URL === '') return;
    this.timer = setInterval(() => this.wake(), INTERVAL_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    this.timer = undefined;
    this.stopping.abort(); // what is being posted stays in the outbox
    await this.running;
  }

  /** Delivers at once what this process has saved; what others left, the timer finds. */
  @OnEvent(UploadSaved.event)
  wake(): void {
    if (this.timer) this.running ??= this.deliver().finally(() => (this.running = undefined));
  }

  private async deliver(): Promise<void> {
    try {
      let taken: NoticedUpload[];
      do {
        taken = await this.repository.takeDue(BATCH);
        await Promise.all(taken.map((upload) => this.post(upload)));
      } while (taken.length === BATCH && this.timer);
    } catch (error) {
      this.logger.warn(`the notices wait: ${String(error)}`);
    }
  }

  /** Posts an upload; what fails stays in the outbox and is tried again. */
  private async post(upload: NoticedUpload): Promise<void> {
    if (this.config.UPLOAD_NOTICES_OF === 'corrections' && upload.replacedHours === 0) {
      await this.repository.delete(upload);
      return;
    }
    const { ok: isTaken, status } = await fetch(this.config.UPLOAD_NOTICES_URL, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(toNotice(upload)),
      redirect: 'manual',
      signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), this.stopping.signal]),
    }).catch((error: unknown) => ({ ok: false, status: String(error) }));
    posts.inc({ outcome: isTaken ? 'success' : 'failure' });
    if (isTaken) await this.repository.delete(upload);
    else this.logger.warn(`the receiver did not take a notice: ${status}`);
  }
}

/** The body of a notice; restaurant, date and number tell a receiver that it knows it already. */
function toNotice({ restaurantId, date, number, ...upload }: NoticedUpload) {
  return {
    restaurant_id: restaurantId,
    date,
    number,
    user_id: upload.userId,
    changed_hours: listHours(upload.changedHours),
    replaced_hours: listHours(upload.replacedHours),
  };
}
