/** What is wrong with a backup file or its key. Nothing was restored. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
  readonly reason: 'damaged' | 'key' | 'file';

  constructor(reason: BackupError['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** For errors of streams and of other libraries. */
export function toBackupError(reason: BackupError['reason'], what: string, error: unknown): BackupError {
  if (error instanceof BackupError) return error;
  return new BackupError(reason, `${what} (${error instanceof Error ? error.message : String(error)}).`, {
    cause: error,
  });
}
