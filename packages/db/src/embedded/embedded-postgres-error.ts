/** The embedded PostgreSQL cannot run here. The message is complete for an operator: it says what to do. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

/** The message of an error, to be appended to another message. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
