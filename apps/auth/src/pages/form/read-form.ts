import { decodeForm, decodeUtf8 } from '@linnet/service/http/form-decoder';
import type { Context } from 'koa';
import { koaBody } from 'koa-body';

import { FormRefused, createForm } from './form.ts';
import type { Form, FormPair } from './form.ts';

const formType = 'application/x-www-form-urlencoded';
const maxBytes = 64 * 1024;

/** Read as latin1, so that invalid UTF-8 can be detected and rejected. */
const octets = 'latin1';

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
 * Reads a submitted form, up to 64 KB.
 * @throws FormRefused for another media type, a larger body, invalid UTF-8 or percent-encoding, or NUL characters.
 */
export async function readForm(ctx: Context): Promise<Form> {
  const type = ctx.is(formType);
  if (type === null) return createForm([]);
  if (type === false) throw new FormRefused(415, `The body must be ${formType}.`);
  await readOctets(ctx, async () => undefined);
  const body: unknown = ctx.request.body;
  return createForm(parsePairs(typeof body === 'string' ? body : ''));
}

function parsePairs(latin1: string): readonly FormPair[] {
  const text = decodeUtf8(latin1, { keepByteOrderMark: true });
  if (text === undefined) throw new FormRefused(400, 'The form is not valid UTF-8.');
  return decodeForm(text).map(({ name, value }) => {
    if (value === undefined) throw new FormRefused(400, 'The form is not valid percent-encoded UTF-8.');
    // PostgreSQL cannot store it.
    if (name.includes('\0') || value.includes('\0')) throw new FormRefused(400, 'The form contains a NUL character.');
    return [name, value];
  });
}

/** Errors of raw-body, which koa-body uses, have a `status`. */
function toRefusal(error: Error): FormRefused {
  const status: unknown = Reflect.get(error, 'status');
  if (status === 413) return new FormRefused(413, `The form exceeds ${String(maxBytes)} bytes.`, { cause: error });
  if (status === 415) return new FormRefused(415, 'The Content-Encoding is not supported.', { cause: error });
  return new FormRefused(400, 'The form cannot be read.', { cause: error });
}
