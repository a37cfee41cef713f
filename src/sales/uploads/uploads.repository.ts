import { Injectable } from '@nestjs/common';
import { Batcher } from '../../database/batcher.js';
import { Database } from '../../database/database.js';
import { PREVIEW_UPLOAD } from './preview-upload.statement.js';
import { SAVE_UPLOADS } from './save-uploads.statement.js';
import { ShardedUploadsRepository } from './sharded-uploads.repository.js';
import {
  dayOf,
  outcomesOf,
  valuesOf,
  type SavedRow,
  type Upload,
  type UploadChecks,
  type UploadOutcome,
} from './upload.js';

export interface UploadPreview extends UploadChecks {
  /** JSON text of an object with the changes and the warnings. */
  readonly preview: string;
}

@Injectable()
export class UploadsRepository {
  private readonly writes = new Batcher<Upload, UploadOutcome>(
    (uploads) => this.saveAll(uploads),
    { name: 'uploads', maxConcurrency: 4, maxBatchSize: 16 },
    { keyOf: dayOf },
  );

  constructor(
    private readonly database: Database,
    private readonly sharded: ShardedUploadsRepository,
  ) {}

  /** Waiting uploads share a statement; each is saved completely or not at all. */
  async save(upload: Upload): Promise<UploadOutcome> {
    return (await this.database.isDistributed()) ? this.sharded.save(upload) : this.writes.add(upload);
  }

  async preview(upload: Upload): Promise<UploadPreview> {
    const values = [...valuesOf([upload]), upload.restaurantId, upload.date];
    const [row] = await this.database.run<UploadPreview>(PREVIEW_UPLOAD, values);
    return row!;
  }

  private async saveAll(uploads: Upload[]): Promise<UploadOutcome[]> {
    return outcomesOf(await this.database.run<SavedRow>(SAVE_UPLOADS, valuesOf(uploads)));
  }
}
