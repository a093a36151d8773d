import type { Context } from 'koa';
import { koaBody } from 'koa-body';

const formType = 'application/x-www-form-urlencoded';
const maxBytes = 64 * 1024;

/** koa-body is asked for octets (latin1) and not for text, so that invalid UTF-8 is seen and refused. */
const octets = 'latin1';

/** The body is not a form that a page of ours sends. */
export class FormRefused extends Error {
  override readonly name = 'FormRefused';
  readonly status: 400 | 413 | 415;

  constructor(status: 400 | 413 | 415, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

type FormPair = readonly [name: string, value: string];

/** The fields of a submitted form, each as it was typed. */
export interface Form {
  /** Every field, in the order given. */
  readonly pairs: readonly FormPair[];
  /** The one value of a field, empty when the field is missing. @throws FormRefused when it is given twice. */
  text(name: string): string;
  /** Every value of a field in the order given. */
  all(name: string): readonly string[];
  /** Every line of every value, without white space at its ends and without blank ones. */
  lines(name: string): readonly string[];
  /** Whether a field has a value that is not empty: a ticked checkbox, a pressed button. */
  has(name: string): boolean;
}

const readOctets = koaBody({
  json: false,
  multipart: false,
  urlencoded: false,
  text: true,
  textTypes: [formType],
  textLimit: maxBytes,
  encoding: octets,
  onError: (error) => {
    throw toRefusal(error);
  },
});

/**
 * Reads the submitted form, at most 64 KB.
 * @throws FormRefused for another type, more bytes, invalid UTF-8 or percent-encoding, NUL characters.
 */
export async function readForm(ctx: Context): Promise<Form> {
  const type = ctx.is(formType);
  if (type === null) return createForm([]);
  if (type === false) throw new FormRefused(415, `A form comes as ${formType}.`);
  await readOctets(ctx, async () => undefined);
  const body: unknown = ctx.request.body;
  return createForm(parsePairs(typeof body === 'string' ? body : ''));
}

/** A form that holds these fields. */
export function createForm(pairs: readonly FormPair[]): Form {
  const all = (name: string) => pairs.filter(([given]) => given === name).map(([, value]) => value);
  return {
    pairs,
    all,
    text: (name) => {
      const [value = '', ...others] = all(name);
      if (others.length > 0) throw new FormRefused(400, `The field ${JSON.stringify(name)} is given more than once.`);
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

function parsePairs(latin1: string): readonly FormPair[] {
  const text = decodeUtf8(latin1);
  return text
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return [decodePart(name), decodePart(value.join('='))];
    });
}

function decodeUtf8(latin1: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(latin1, octets));
  } catch (error) {
    throw new FormRefused(400, 'The form is not UTF-8.', { cause: error });
  }
}

function decodePart(encoded: string): string {
  const text = decodePercent(encoded.replaceAll('+', ' '));
  // PostgreSQL cannot hold it, and no keyboard types it.
  if (text.includes('\0')) throw new FormRefused(400, 'The form holds a NUL character.');
  return text;
}

function decodePercent(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch (error) {
    throw new FormRefused(400, 'The form is not percent-encoded UTF-8.', { cause: error });
  }
}

/** What raw-body, under koa-body, throws carries a `status`. */
function toRefusal(error: Error): FormRefused {
  const status: unknown = Reflect.get(error, 'status');
  if (status === 413) return new FormRefused(413, `At most ${String(maxBytes)} bytes are read.`, { cause: error });
  if (status === 415) return new FormRefused(415, 'The encoding of the body is not read.', { cause: error });
  return new FormRefused(400, 'The form cannot be read.', { cause: error });
}
