import { inspect } from 'node:util';

const shown = '[secret]';

/** Text that prints as `[secret]` in templates, JSON, the console and logs. */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the text. Call it only where the secret is used, and do not store the result. */
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
