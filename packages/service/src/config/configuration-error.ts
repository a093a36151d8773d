/** The configuration is invalid. `message` lists every problem, one per line. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  /** One line each, beginning with the name of the variable or file: `PORT: must be …`. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[], options?: ErrorOptions) {
    super(problems.join('\n'), options);
    this.problems = problems;
  }
}
