import { mkdir, rm } from 'node:fs/promises';

import { UploadedFile } from '@linnet/contract/uploaded-file';
import { StorageFailed, isDiskError } from '@linnet/media/storage/media-storage';
import type { Context } from 'koa';
import { koaBody } from 'koa-body';
import { z } from 'zod';

import { FormRefused, createForm } from './form.ts';
import type { Form } from './form.ts';

const multipartType = 'multipart/form-data';
/** All other fields together. */
const maxFieldBytes = 64 * 1024;

/** The file is larger than the field allows. It was not kept. */
export class FileTooLong extends Error {
  override readonly name = 'FileTooLong';
}

/** A form field for a file. */
export interface FileField {
  readonly name: string;
  readonly maxBytes: number;
  /** Uploads are written here. */
  readonly directory: string;
}

/** A submitted form with a file. Disposal removes the file unless it was moved. */
export interface FileForm extends Form, AsyncDisposable {
  /** Undefined: no file was chosen. */
  readonly file: UploadedFile | undefined;
}

/** Whether the request is multipart/form-data. */
export function hasFileForm(ctx: Context): boolean {
  return typeof ctx.is(multipartType) === 'string';
}

/**
 * Reads a submitted form with a file. The file is streamed to disk, up to its limit.
 * @throws FileTooLong, StorageFailed
 * @throws FormRefused for anything that is not a valid multipart form.
 */
export async function readFileForm(ctx: Context, field: FileField): Promise<FileForm> {
  // Reject by Content-Length before reading the body.
  if ((ctx.request.length ?? 0) > field.maxBytes + maxFieldBytes) throw new FileTooLong();
  await receive(ctx, field);
  const received = Object.values(files.parse(ctx.request.files ?? {})).flat();
  const file = received.find(({ size }) => size > 0);
  const pairs = Object.entries(fields.parse(ctx.request.body ?? {})).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, decodeUtf8(one)] as const),
  );
  return {
    ...createForm(pairs),
    file: file === undefined ? undefined : new UploadedFile(file),
    [Symbol.asyncDispose]: async () => {
      for (const { filepath } of received) await rm(filepath, { force: true });
    },
  };
}

async function receive(ctx: Context, field: FileField): Promise<void> {
  try {
    await mkdir(field.directory, { recursive: true, mode: 0o700 });
    await createReader(field)(ctx, async () => undefined);
  } catch (error) {
    throw isDiskError(error) ? new StorageFailed({ cause: error }) : error;
  }
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
      encoding: 'binary', // formidable's name for latin1; UTF-8 is decoded strictly below
      maxFields: 20,
      maxFieldsSize: maxFieldBytes,
      uploadDir: directory,
      maxFiles: 1,
      maxFileSize: maxBytes,
      maxTotalFileSize: maxBytes,
      allowEmptyFiles: true, // an empty file input
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
    throw new FormRefused(400, 'The form is not valid UTF-8.', { cause: error });
  }
  throw new FormRefused(400, 'The form contains a NUL character.');
}

/** Errors of formidable have an `httpCode`. */
function toRefusal(error: Error): Error {
  if (Reflect.get(error, 'httpCode') === 413) return new FileTooLong(error.message, { cause: error });
  return Reflect.has(error, 'httpCode') ? new FormRefused(400, 'The form cannot be read.', { cause: error }) : error;
}
