/** The migrations cannot be applied to this database. The message says what to do. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
  /** For scripts. */
  readonly code: 'migration' | 'database-too-old' | 'database-too-new';

  constructor(
    message: string,
    { code = 'migration', ...options }: ErrorOptions & { readonly code?: MigrationError['code'] } = {},
  ) {
    super(message, options);
    this.code = code;
  }
}
