/** The embedded PostgreSQL cannot run here. The message can be printed alone: it tells what to do. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

/** The part of an error that a reader can use, for the end of a message. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
