/** The body is not a form that our pages send. */
export class FormRefused extends Error {
  override readonly name = 'FormRefused';
  readonly status: 400 | 413 | 415;

  constructor(status: 400 | 413 | 415, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

/** A field. */
export type FormPair = readonly [name: string, value: string];

/** The fields of a submitted form, unchanged. */
export interface Form {
  /** All fields, in order. */
  readonly pairs: readonly FormPair[];
  /** The value of a field, empty if it is missing. @throws FormRefused if it is repeated. */
  text(name: string): string;
  /** All values of a field, in order. */
  all(name: string): readonly string[];
  /** The trimmed, non-blank lines of all values of a field. */
  lines(name: string): readonly string[];
  /** Whether a field has a non-empty value: a checked checkbox, a pressed button. */
  has(name: string): boolean;
}

/** Creates a form from its fields. */
export function createForm(pairs: readonly FormPair[]): Form {
  const all = (name: string) => pairs.filter(([given]) => given === name).map(([, value]) => value);
  return {
    pairs,
    all,
    text: (name) => {
      const [value = '', ...others] = all(name);
      if (others.length > 0) throw new FormRefused(400, `The field ${JSON.stringify(name)} must not be repeated.`);
      return value;
    },
    lines: (name) => all(name).flatMap(toLines),
    has: (name) => all(name).some((value) => value !== ''),
  };
}

function toLines(text: string): readonly string[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
