import { mkdir, rm } from 'node:fs/promises';

import { UploadedFile } from '@linnet/contract/uploaded-file';
import type { Context } from 'koa';
import { koaBody } from 'koa-body';
import { z } from 'zod';

import { FormRefused, createForm } from './form.ts';
import type { Form } from './form.ts';

const multipartType = 'multipart/form-data';
/** Of the fields beside the file. */
const maxFieldBytes = 64 * 1024;

/** The file has more bytes than its field takes; nothing of it was kept. */
export class FileTooLong extends Error {
  override readonly name = 'FileTooLong';
}

/** The field of a form that takes a file. */
export interface FileField {
  readonly name: string;
  readonly maxBytes: number;
  /** Where it is received. */
  readonly directory: string;
}

/** A submitted form with a file; disposing of it removes the file if it is still where it was received. */
export interface FileForm extends Form, AsyncDisposable {
  /** `undefined`: none was chosen. */
  readonly file: UploadedFile | undefined;
}

/** Whether the form that is being sent may hold a file. */
export function hasFileForm(ctx: Context): boolean {
  return typeof ctx.is(multipartType) === 'string';
}

/**
 * Reads a submitted form with a file; the file goes to the disk while it arrives, and no further than its limit.
 * @throws FileTooLong, and FormRefused for what is no such form.
 */
export async function readFileForm(ctx: Context, field: FileField): Promise<FileForm> {
  // What says itself that it is too long is not read at all.
  if ((ctx.request.length ?? 0) > field.maxBytes + maxFieldBytes) throw new FileTooLong();
  await mkdir(field.directory, { recursive: true, mode: 0o700 });
  await createReader(field)(ctx, async () => undefined);
  const received = Object.values(files.parse(ctx.request.files ?? {})).flat();
  const file = received.find(({ size }) => size > 0);
  const pairs = Object.entries(fields.parse(ctx.request.body ?? {})).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, decodeUtf8(one)] as const),
  );
  return {
    ...createForm(pairs),
    file: file === undefined ? undefined : new UploadedFile(file.filepath, file.hash),
    [Symbol.asyncDispose]: async () => {
      for (const { filepath } of received) await rm(filepath, { force: true });
    },
  };
}

const receivedFile = z.object({ filepath: z.string(), hash: z.string(), size: z.number() });
const files = z.record(z.string(), z.union([receivedFile, z.array(receivedFile)]));
const fields = z.record(z.string(), z.union([z.string(), z.array(z.string())]));

function createReader({ name, maxBytes, directory }: FileField) {
  return koaBody({
    json: false,
    urlencoded: false,
    text: false,
    multipart: true,
    formidable: {
      encoding: 'binary', // formidable's word for latin1: invalid UTF-8 is seen and refused
      maxFields: 20,
      maxFieldsSize: maxFieldBytes,
      uploadDir: directory,
      maxFiles: 1,
      maxFileSize: maxBytes,
      maxTotalFileSize: maxBytes,
      allowEmptyFiles: true, // a field in which nothing was chosen
      minFileSize: 0,
      hashAlgorithm: 'sha256',
      filter: (part: { readonly name?: string | null }) => part.name === name,
    },
    onError: (error) => {
      throw toRefusal(error);
    },
  });
}

function decodeUtf8(latin1: string): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(latin1, 'latin1'));
    if (!text.includes('\0')) return text;
  } catch (error) {
    throw new FormRefused(400, 'The form is not UTF-8.', { cause: error });
  }
  throw new FormRefused(400, 'The form holds a NUL character.');
}

/** What formidable, under koa-body, throws carries an `httpCode`. */
function toRefusal(error: Error): Error {
  if (Reflect.get(error, 'httpCode') === 413) return new FileTooLong(error.message, { cause: error });
  return Reflect.has(error, 'httpCode') ? new FormRefused(400, 'The form cannot be read.', { cause: error }) : error;
}
