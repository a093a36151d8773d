import { inspect } from 'node:util';

const shown = '[secret]';

/** Text that prints as `[secret]` wherever it lands: templates, JSON, console, logs. */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The text itself; call it where the secret is used and keep the result nowhere. */
  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return shown;
  }

  toJSON(): string {
    return shown;
  }

  [inspect.custom](): string {
    return shown;
  }
}
