import type { CallDescription, CallOptions, CallTable, List, Upload } from './call.ts';
import { authorizationHeaders } from './dpop.ts';
import type { BoundKey } from './dpop.ts';
import { ApiError } from './errors.ts';
import { withRetries } from './retry.ts';
import { limitsOf, mapConnectionErrors, mapTimeout, retryAfterOf, send } from './server.ts';
import type { ServerOptions } from './server.ts';
import type { TokenSource } from './tokens.ts';

type Parameters = Readonly<Record<string, unknown>>;

/** The calls of a table, sent with tokens from `tokens`. The generator writes the table and their types together. */
export function createCalls(table: CallTable, options: ServerOptions, tokens: TokenSource): object {
  const nouns = Object.entries(table.nouns).map(([noun, verbs]) => {
    const methods = Object.entries(verbs).map(([verb, description]) => [
      verb,
      methodOf({ base: table.base, options, tokens, description }),
    ]);
    return [noun, Object.fromEntries(methods)] as const;
  });
  return Object.fromEntries(nouns);
}

function methodOf(called: Called) {
  const { fixed, paged, short = [], wrapper = '' } = called.description;
  return (...given: readonly unknown[]): unknown => {
    const [parameters = {}, options = {}] = isPlain(given[0])
      ? [Object.fromEntries(short.map((name, index) => [name, given[index]])), given[short.length]]
      : given;
    const call = async (more: Parameters) =>
      await callApi(called, { ...fixed, ...(parameters as Parameters), ...more }, options as CallOptions); // as the types of the method say
    if (paged === true) return createList(async (cursor) => await call(cursor === undefined ? {} : { cursor }));
    return call({}).then((body): unknown => Reflect.get(body, wrapper) ?? body);
  };
}

function isPlain(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

interface Called extends Pick<CallTable, 'base'> {
  readonly options: ServerOptions;
  readonly tokens: TokenSource;
  readonly description: CallDescription;
}

async function callApi(
  { base, options, tokens, description }: Called,
  parameters: Parameters,
  { signal, timeLimitMs, idempotencyKey }: CallOptions,
): Promise<object> {
  const request = toRequest(new URL(base + description.path, options.issuer), description.method, parameters);
  if (description.writes === true) request.headers.set('idempotency-key', idempotencyKey ?? crypto.randomUUID());
  const limits = limitsOf(timeLimitMs === undefined ? options : { ...options, timeLimitMs }, signal);
  let refused: string | undefined;
  return await withRetries(async (trying) => {
    const token = await mapTimeout(tokens.get({ refused, signal: trying }));
    const { boundKey } = tokens;
    try {
      return await exchange(options, request, { token, boundKey, signal: trying });
    } catch (error) {
      // The token was revoked. Try another one, but only once.
      if (refused !== undefined || !(error instanceof ApiError) || error.code !== 'invalid_token') throw error;
      refused = token;
      const another = await mapTimeout(tokens.get({ refused, signal: trying }));
      return await exchange(options, request, { token: another, boundKey, signal: trying });
    }
  }, limits);
}

interface ApiRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body?: string | FormData;
}

function toRequest(url: URL, method: 'GET' | 'POST', parameters: Parameters): ApiRequest {
  const headers = new Headers({ accept: 'application/json' });
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  if (method === 'GET') {
    for (const [name, value] of given) url.searchParams.set(name, String(value));
    return { url, method, headers };
  }
  if (given.some(([, value]) => isUpload(value))) return { url, method, headers, body: toForm(given) };
  headers.set('content-type', 'application/json');
  return { url, method, headers, body: JSON.stringify(Object.fromEntries(given)) };
}

function toForm(parameters: readonly (readonly [string, unknown])[]): FormData {
  const form = new FormData();
  for (const [name, value] of parameters) form.set(name, isUpload(value) ? toBlob(value) : String(value));
  return form;
}

function isUpload(value: unknown): value is Upload {
  return value instanceof Blob || value instanceof ArrayBuffer || value instanceof Uint8Array;
}

function toBlob(upload: Upload): Blob {
  return upload instanceof Blob ? upload : new Blob([new Uint8Array(upload)]);
}

interface Attempt {
  readonly token: string;
  readonly boundKey: BoundKey | undefined;
  readonly signal: AbortSignal;
}

/** Sends a request once. @throws ApiError for an error response */
async function exchange(
  options: ServerOptions,
  { url, method, headers, body }: ApiRequest,
  { token, boundKey, signal }: Attempt,
): Promise<object> {
  const sent = new Headers(headers);
  const authorization = await authorizationHeaders(boundKey, { method, url, token });
  for (const [name, value] of Object.entries(authorization)) sent.set(name, value);
  const response = await send(options, url, { method, headers: sent, signal, ...(body === undefined ? {} : { body }) });
  const text = await mapConnectionErrors(response.text());
  const json = parse(text);
  if (response.ok && json !== undefined) return json;
  throw new ApiError(json ?? {}, { status: response.status, retryAfterSeconds: retryAfterOf(response) });
}

function parse(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined; // the response came from a proxy
  }
}

interface AnyPage {
  readonly items?: readonly unknown[];
  /** Null: there is none. */
  readonly next?: string | null;
}

/** A list whose pages `load` fetches, on demand. */
function createList(load: (cursor?: string) => Promise<AnyPage>): List<AnyPage, unknown> {
  async function* pages(): AsyncGenerator<AnyPage> {
    for (let cursor: string | undefined, isLast = false; !isLast;) {
      const page = await load(cursor);
      yield page;
      const next = page.next ?? undefined;
      // The audit log has no end: its last page leads to itself until something happens.
      isLast = next === undefined || next === cursor;
      cursor = next;
    }
  }
  return {
    pages,
    // oxlint-disable-next-line unicorn/no-thenable -- `await linnet.posts.list(…)` is one page
    then: (resolve, reject) => load().then(resolve, reject),
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* page.items ?? [page];
    },
  };
}
