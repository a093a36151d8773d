/** The service cannot start as it is configured; `message` lists every problem, one line each. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  /** Each begins with the name of the variable or file that is wrong. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[], options?: ErrorOptions) {
    super(problems.join('\n'), options);
    this.problems = problems;
  }
}
