/** The migrations cannot be applied to this database. The message says what to do. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}
