/** A command failed: `message` is for the operator, `code` for scripts. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
