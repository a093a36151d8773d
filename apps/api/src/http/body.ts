import { mkdir } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

import { UploadedFile } from '@linnet/contract/uploaded-file';
import { StorageFailed, isDiskError } from '@linnet/media/storage/media-storage';
import { decodeUtf8 } from '@linnet/service/http/form-decoder';
import { multipart } from 'formidable';
import type { Part, PluginFunction } from 'formidable';
import type { Context } from 'koa';
import { koaBody } from 'koa-body';
import { z } from 'zod';

import { ApiError } from './api-error.ts';
import { checkValues, collectPairs, parseFormEncoded } from './parameters.ts';
import type { RawParameters } from './parameters.ts';

/** Of a body without a file. */
const maxBodyBytes = 64 * 1024;
const maxDepth = 32;
const jsonTypes = ['application/json', 'application/*+json'];
const formType = 'application/x-www-form-urlencoded';
const multipartType = 'multipart/form-data';

/** koa-body decodes as latin1, which keeps every byte, so that invalid UTF-8 can be detected. */
const octetEncoding = 'latin1';

/**
 * Reads the parameters of a POST request from a JSON, form or multipart body of at most 64 KB (decisions D23;
 * Details 8). A request without a body has no parameters.
 */
export type ReadBody = (ctx: Context) => Promise<RawParameters>;

/** A part of a multipart body that may be a file. */
interface FilePart {
  readonly name: string;
  readonly maxBytes: number;
  /** Directory for the received file; the caller removes it. */
  readonly directory: string;
}

/** Without `filePart`, files are ignored. */
export function createBodyReader(filePart?: FilePart): ReadBody {
  const readOctets = koaBody({
    json: false,
    urlencoded: false,
    text: true,
    textTypes: [...jsonTypes, formType],
    textLimit: maxBodyBytes,
    encoding: octetEncoding,
    multipart: true,
    formidable: {
      encoding: 'binary', // latin1 in formidable
      enabledPlugins: multipartPlugins(filePart?.name),
      maxFields: 100,
      maxFieldsSize: maxBodyBytes,
      ...fileOptions(filePart),
    },
    onError: (error) => {
      throw toBodyError(error, filePart?.maxBytes ?? maxBodyBytes);
    },
  });
  return async (ctx) => {
    if (!hasBody(ctx)) return { values: {}, problems: [] };
    requireReadableType(ctx);
    if (filePart !== undefined) await makeDirectory(filePart.directory);
    await readOctets(ctx, async () => undefined);
    return toParameters(ctx);
  };
}

async function makeDirectory(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new ApiError('storage-full', { cause: new StorageFailed({ cause: error }) });
  }
}

function fileOptions(part: FilePart | undefined) {
  if (part === undefined) return { maxTotalFileSize: maxBodyBytes, filter: () => false };
  return {
    uploadDir: part.directory,
    maxFiles: 1,
    maxFileSize: part.maxBytes,
    maxTotalFileSize: part.maxBytes,
    // The decoder rejects an empty file.
    allowEmptyFiles: true,
    minFileSize: 0,
    hashAlgorithm: 'sha256',
    filter: ({ name }: { readonly name?: string | null }) => name === part.name,
  };
}

function requireReadableType(ctx: Context): void {
  if (typeof ctx.is(...jsonTypes, formType, multipartType) === 'string') return;
  throw new ApiError('unsupported-media-type', {
    detail: `Send the body as application/json, ${formType} or ${multipartType}.`,
  });
}

function hasBody(ctx: Context): boolean {
  const length = ctx.request.length;
  return ctx.get('transfer-encoding') !== '' || (length !== undefined && length > 0);
}

function toParameters(ctx: Context): RawParameters {
  const body: unknown = ctx.request.body;
  if (typeof body === 'string') return parseBody(body, ctx.is(formType) !== false);
  return collectPairs([...multipartPairs(body), ...multipartFiles(ctx.request.files)]);
}

/** Parses a JSON or form body. `octets` as text has one character per byte. @throws ApiError `malformed-body` */
function parseBody(octets: string | Buffer, isForm: boolean): RawParameters {
  const text = decodeText(octets);
  return isForm ? parseFormEncoded(text) : parseJson(text);
}

function* multipartFiles(files: unknown): Iterable<[string, UploadedFile]> {
  for (const [name, value] of Object.entries(multipartFields.parse(files ?? {}))) {
    for (const one of [value].flat()) {
      yield [name, new UploadedFile(receivedFile.parse(one))];
    }
  }
}

const receivedFile = z.object({ filepath: z.string(), hash: z.string(), size: z.number() });

function* multipartPairs(body: unknown): Iterable<[string, string]> {
  for (const [name, value] of Object.entries(multipartFields.parse(body ?? {}))) {
    for (const one of [value].flat()) yield [name, decodeText(String(one))];
  }
}

const multipartFields = z.record(z.string(), z.unknown());

function parseJson(text: string): RawParameters {
  const parsed = parseJsonText(text);
  if (!isJsonObject(parsed)) throw new ApiError('malformed-body', { detail: 'Send a JSON object as the body.' });
  if (isDeeperThan(parsed, maxDepth)) {
    throw new ApiError('malformed-body', { detail: `Send a body with at most ${String(maxDepth)} levels of nesting.` });
  }
  return checkValues(parsed);
}

function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseJsonText(text: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text);
    return parsed;
  } catch (error) {
    throw new ApiError('malformed-body', { detail: 'Send well-formed JSON.', cause: error });
  }
}

/** Checks level by level, without recursion. A value that is neither an object nor a list is a level of its own. */
function isDeeperThan(root: object, limit: number): boolean {
  let level = [root];
  for (let depth = 1; level.length > 0; depth += 1) {
    const children = level.flatMap((parent): unknown[] => Object.values(parent));
    if (children.length > 0 && depth > limit) return true;
    level = children.filter((child) => typeof child === 'object' && child !== null);
  }
  return false;
}

function decodeText(octets: string | Buffer): string {
  const text = decodeUtf8(octets, { keepByteOrderMark: false });
  if (text === undefined) throw new ApiError('malformed-body', { detail: 'Send the body in UTF-8.' });
  return text;
}

/** Translates errors of the parsers in koa-body: raw-body sets `status`, formidable `httpCode`. */
function toBodyError(error: Error, limit: number): Error {
  const status: unknown = Reflect.get(error, 'status') ?? Reflect.get(error, 'httpCode');
  if (status === 413) {
    return new ApiError('body-too-large', { detail: `Send a body of at most ${String(limit)} bytes.`, cause: error });
  }
  if (isDiskError(error)) return new ApiError('storage-full', { cause: new StorageFailed({ cause: error }) });
  if (status === 415) return new ApiError('unsupported-media-type', { cause: error });
  return new ApiError('malformed-body', { cause: error });
}

/**
 * Plugins of formidable that read a multipart body. A part is a file if it has a file name (RFC 7578 §4.2), or the name `fileName` and
 * a type other than text. Formidable itself asks only for a type. But Python's requests sends files without one, and
 * clients in Java send one with text.
 */
function multipartPlugins(fileName: string | undefined): PluginFunction[] {
  return [
    (form) => {
      form.onPart = (part) => {
        const isFile = hasFileName(part) || (part.name === fileName && !isText(part.mimetype));
        part.mimetype = isFile ? (part.mimetype ?? 'application/octet-stream') : null;
        return form._handlePart(part);
      };
    },
    multipart,
  ];
}

/** Also in the form of RFC 8187, of which formidable does not read the name. The headers are missing in its types. */
function hasFileName(part: Part & { readonly headers?: Readonly<Record<string, string>> }): boolean {
  return /;\s*filename\*?=/i.test(part.headers?.['content-disposition'] ?? '');
}

/** Without a type, a part is text (RFC 7578 §4.4). */
function isText(type: string | null): boolean {
  return type === null || /^text\//i.test(type);
}

/** The bodies of plain requests: JSON or a form, of known length, neither compressed nor chunked. */
const plainType = /^application\/(?:json|x-www-form-urlencoded)(?:; ?charset=utf-8)?$/i;
const plainForm = /^application\/x-www-form-urlencoded/i;

/** Whether `readPlainBody` can read the body, or there is none. Reads nothing. */
export function hasPlainBody(request: IncomingMessage): boolean {
  const { headers } = request;
  if (headers['transfer-encoding'] !== undefined || headers['content-encoding'] !== undefined) return false;
  const length = lengthOf(request);
  return length === 0 || (length <= maxBodyBytes && plainType.test(headers['content-type'] ?? ''));
}

/** Like `createBodyReader`, for a plain body. @throws ApiError `malformed-body` */
export async function readPlainBody(request: IncomingMessage): Promise<RawParameters> {
  const length = lengthOf(request);
  if (length === 0) return { values: {}, problems: [] };
  return parseBody(await readPlainOctets(request, length), plainForm.test(request.headers['content-type'] ?? ''));
}

function lengthOf({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? 0);
}

/** A small body arrives with the head of its request, and is parsed right after it. Otherwise this waits for the rest. */
async function readPlainOctets(request: IncomingMessage, length: number): Promise<Buffer> {
  await Promise.resolve();
  const received: unknown = request.readableLength === length ? request.read() : undefined;
  if (Buffer.isBuffer(received)) return received;
  try {
    return await buffer(request);
  } catch (error) {
    throw error instanceof Error ? toBodyError(error, maxBodyBytes) : error;
  }
}
