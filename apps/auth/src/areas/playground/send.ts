/** Sends the requests of the playground to this service, at its public address and nowhere else. */
import { inertJson, printableLines } from './format-request.ts';
import { headersOf, targetOf } from './requests.ts';
import type { PlaygroundAnswer, PlaygroundRequest, Value, Variable } from './run.ts';

export type Secrets = Readonly<Partial<Record<Variable, string>>>;

export interface Received {
  /** For display: without tokens, and shortened. */
  readonly answer: PlaygroundAnswer;
  /** The complete body. */
  readonly json: Readonly<Record<string, unknown>>;
  readonly status: number | undefined;
}

export type Send = (request: PlaygroundRequest, secrets: Secrets) => Promise<Received>;

const timeLimitMs = 10_000;
const maxBytes = 262_144;
const maxShownBytes = 8000;
/** Response headers that matter to a developer. */
const shownHeaders = [
  'content-type',
  'cache-control',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'www-authenticate',
  'link',
];
const maxHeader = 500;
/** Members of a token response that are secrets. */
const tokenNames: Readonly<Record<string, Variable>> = {
  access_token: 'ACCESS_TOKEN',
  refresh_token: 'REFRESH_TOKEN',
  id_token: 'ID_TOKEN',
};

export function createSend(baseUrl: string): Send {
  return async (request, secrets) => {
    try {
      const response = await fetch(`${baseUrl}${targetOf(request)}`, {
        method: request.method,
        headers: Object.fromEntries([...headersOf(request), ...proofOf(request, secrets)]),
        redirect: 'error',
        signal: AbortSignal.timeout(timeLimitMs),
        ...bodyOf(request, secrets),
      });
      return toReceived(response, await readBody(response));
    } catch (error) {
      return { answer: { failure: failureOf(error) }, json: {}, status: undefined };
    }
  };
}

function proofOf({ proof }: PlaygroundRequest, secrets: Secrets): [name: string, value: string][] {
  if (proof === null) return [];
  if (proof === 'bearer') return [['Authorization', `Bearer ${secretOf(secrets, 'ACCESS_TOKEN')}`]];
  const credentials = Buffer.from(`${proof.basic}:${secretOf(secrets, 'CLIENT_SECRET')}`).toString('base64');
  return [['Authorization', `Basic ${credentials}`]];
}

function secretOf(secrets: Secrets, variable: Variable): string {
  const secret = secrets[variable];
  if (secret === undefined) throw new Error(`the run has no ${variable}`);
  return secret;
}

function bodyOf({ form, json }: PlaygroundRequest, secrets: Secrets): { readonly body?: string } {
  if (json !== undefined) return { body: JSON.stringify(json) };
  if (form === undefined) return {};
  const valueOf = (value: Value) => (typeof value === 'string' ? value : secretOf(secrets, value.variable));
  return { body: new URLSearchParams(form.map(([name, value]) => [name, valueOf(value)])).toString() };
}

async function readBody({ body }: Response): Promise<{ readonly text: string; readonly isCut: boolean }> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxBytes) break;
  }
  const text = Buffer.concat(chunks).subarray(0, maxBytes).toString();
  return { text, isCut: bytes > maxBytes };
}

function toReceived(
  { status, headers }: Response,
  { text, isCut }: { readonly text: string; readonly isCut: boolean },
): Received {
  const json = parseObject(text);
  const pretty = json === undefined ? printableLines(text) : inertJson(maskTokens(json), 2);
  const body = cutToSize(pretty, maxShownBytes);
  const lines = shownHeaders.flatMap((name): [string, string][] => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value.slice(0, maxHeader)]];
  });
  return {
    status,
    json: json ?? {},
    answer: { status, headers: lines, body, isCut: isCut || body.length < pretty.length },
  };
}

function maskTokens(json: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const masked: Record<string, unknown> = { ...json };
  for (const [name, variable] of Object.entries(tokenNames)) {
    if (Object.hasOwn(json, name)) masked[name] = `$${variable}`;
  }
  return masked;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function failureOf(error: unknown): 'unreachable' | 'timed-out' | 'redirected' {
  if (!(error instanceof Error)) return 'unreachable';
  if (error.name === 'TimeoutError') return 'timed-out';
  return error.cause instanceof Error && /redirect/.test(error.cause.message) ? 'redirected' : 'unreachable';
}

/** The size of text in an HTML page, where some characters become entities. */
const entities: Readonly<Record<string, number>> = { '"': 6, '&': 5, '<': 4 };

function sizeOf(character: string): number {
  return entities[character] ?? Buffer.byteLength(character);
}

/** The longest prefix whose size is at most `limit`. */
export function cutToSize(text: string, limit: number): string {
  let bytes = 0;
  let length = 0;
  for (const character of text) {
    bytes += sizeOf(character);
    if (bytes > limit) return text.slice(0, length);
    length += character.length;
  }
  return text;
}

/** Whether the size of the text as JSON exceeds `limit`. */
export function isLarger(text: string, limit: number): boolean {
  const json = JSON.stringify(text);
  return cutToSize(json, limit).length < json.length;
}
