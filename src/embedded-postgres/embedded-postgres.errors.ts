export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';

  static of(error: unknown, dataDir: string): EmbeddedPostgresError {
    if (error instanceof EmbeddedPostgresError) return error;
    const [line] = (error instanceof Error ? error.message : String(error)).split('\n');
    return new EmbeddedPostgresError(`The data folder ${dataDir} cannot be used: ${line}`, { cause: error });
  }
}
