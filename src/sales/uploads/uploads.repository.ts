import { Injectable } from '@nestjs/common';
import { Batcher } from '../../database/batcher.js';
import { Database } from '../../database/database.js';
import { dayOf, type SavedUpload, type Upload, type UploadPreview } from './upload.js';
import { PREVIEW_UPLOAD, SAVE_UPLOADS, valuesOf } from './uploads.statements.js';

/** Saves uploads, or says what they would change. */
@Injectable()
export class UploadsRepository {
  private readonly batcher: Batcher<Upload, SavedUpload>;

  constructor(protected readonly database: Database) {
    this.batcher = new Batcher(
      (uploads) => database.run<SavedUpload>(SAVE_UPLOADS, valuesOf(uploads)),
      { lanes: 2, maxBatchSize: 16, maxWaitMs: database.limits.queue, keyOf: dayOf },
    );
  }

  /** Saves an upload, completely or not at all, in one statement with others that wait. */
  save(upload: Upload): Promise<SavedUpload> {
    return this.batcher.add(upload);
  }

  /** Says what an upload would change of a day of which a set of hours is expected. */
  async preview(upload: Upload, today: string, expected: number): Promise<UploadPreview> {
    const values = [...valuesOf([upload]), upload.restaurantId, upload.date, today, expected];
    const [preview] = await this.database.run<UploadPreview>(PREVIEW_UPLOAD, values);
    return preview!;
  }
}
