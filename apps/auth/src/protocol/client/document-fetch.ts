/** Fetches client ID metadata documents (draft-ietf-oauth-client-id-metadata-document §5, §8.6, §8.7). */

import type { ReceivedDocument } from '@linnet/applications/metadata-documents/metadata-documents';
import { FetchFailed, FileTooLarge } from '@linnet/media/fetch/fetch-target';
import { fetchPublicDocument, fetchPublicResponse } from '@linnet/media/fetch/public-document';
import type { DocumentRequest } from '@linnet/media/fetch/public-document';
import type { FetchedResponse } from '@linnet/media/fetch/http-get';
import type { Configuration } from 'oidc-provider';

/** How long a document is fresh, by the headers of its response (RFC 9111 §4.2) and within bounds. */
const minSeconds = 5 * 60;
const maxSeconds = 24 * 60 * 60;
const defaultSeconds = 60 * 60;

type Headers = FetchedResponse['headers'];

/** Seconds, from 5 minutes to 24 hours; one hour if the headers do not say. */
function findFreshSeconds(headers: Headers, now: () => number = Date.now): number {
  return Math.min(maxSeconds, Math.max(minSeconds, findGivenSeconds(headers, now) ?? defaultSeconds));
}

function findGivenSeconds(headers: Headers, now: () => number): number | undefined {
  const directives = textOf(headers, 'cache-control')
    .toLowerCase()
    .split(',')
    .map((directive) => directive.trim());
  if (directives.some((directive) => /^(?:no-store|no-cache|private)(?:=|$)/.test(directive))) return 0;
  const ageText = textOf(headers, 'age');
  const age = /^\d{1,9}$/.test(ageText) ? Number(ageText) : 0;
  for (const name of ['s-maxage', 'max-age']) {
    const seconds = directives.map((directive) => new RegExp(`^${name}="?(\\d{1,9})"?$`).exec(directive)?.[1]);
    const given = seconds.find((text) => text !== undefined);
    if (given !== undefined) return Number(given) - age;
  }
  const expires = Date.parse(textOf(headers, 'expires'));
  return Number.isNaN(expires) ? undefined : (expires - now()) / 1000;
}

/** The first value of a header; empty if it is missing. */
function textOf(headers: Headers, name: string): string {
  const [first = ''] = [headers[name] ?? ''].flat();
  return first;
}

/** What the response to the request for a document means. */
const maxEtagLength = 256;

/**
 * `unavailable`: nothing is known of the document, because its server did not respond or was not able to. `refused`: there is
 * none that may be used. `reason` is for the log and must not reach the client.
 */
export type FetchOutcome =
  | { readonly kind: 'received'; readonly received: ReceivedDocument }
  | { readonly kind: 'unchanged'; readonly freshSeconds: number }
  | { readonly kind: 'unavailable' | 'refused'; readonly reason: string };

/** `etag`: of the document that is stored. */
function judgeResponse(response: FetchedResponse, etag: string | undefined): FetchOutcome {
  const { status, headers, body } = response;
  if (status === 304 && etag !== undefined) return { kind: 'unchanged', freshSeconds: findFreshSeconds(headers) };
  if (status !== 200) {
    const kind = status >= 500 || status === 408 || status === 429 ? 'unavailable' : 'refused';
    return { kind, reason: `status ${String(status)}` };
  }
  const type = textOf(headers, 'content-type');
  if (!/^application\/(?:[\w.!#$&^-]+\+)?json *(?:;|$)/i.test(type)) {
    return { kind: 'refused', reason: 'its Content-Type is not application/json' };
  }
  const document = parse(body);
  if (document === undefined) return { kind: 'refused', reason: 'it is not valid JSON' };
  const freshSeconds = findFreshSeconds(headers);
  return { kind: 'received', received: { body, document, freshSeconds, etag: findEtag(headers) } };
}

function findEtag(headers: FetchedResponse['headers']): string | undefined {
  const etag = textOf(headers, 'etag');
  return etag.length <= maxEtagLength && /^[!-~]+$/.test(etag) ? etag : undefined;
}

/** Undefined if it is not valid, or has text that PostgreSQL cannot store. */
function parse(body: Buffer): unknown {
  try {
    const document: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    // JSON.stringify escapes exactly U+0000 and lone surrogates in this form.
    return /\\u(?:0000|d[89a-f])/.test(JSON.stringify(document)) ? undefined : document;
  } catch {
    return undefined;
  }
}

/** What may be fetched on behalf of an application: its keys, and its metadata document. */

/** Resolves a host name to its IP addresses. */
type Resolve = (hostname: string) => Promise<readonly string[]>;

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);
/** The only port of a public server. With a free choice, an application could find out which ports are open. */
const httpsPort = 443;

interface FetchRulesOptions {
  readonly baseUrl: string;
  /** Replaces the name servers in tests. */
  readonly resolve?: Resolve | undefined;
}

/**
 * The rules of uploads by URL, and: https and port 443 only. If BASE_URL is a loopback address, the URL may be on a loopback
 * address too, on any port and over http. MEDIA_FETCH_ALLOW does not apply. The returned function throws a TypeError for
 * another scheme.
 */
function createFetchRules({ baseUrl, resolve }: FetchRulesOptions): (url: URL) => DocumentRequest['rules'] {
  const base = new URL(baseUrl);
  const isLocalService = base.protocol === 'http:' && loopbackHosts.has(base.hostname);
  return (url) => {
    const isLocal = isLocalService && loopbackHosts.has(url.hostname);
    if (url.protocol !== 'https:' && !isLocal) throw new TypeError('the address must begin with https');
    const port = url.port === '' ? defaultPorts[url.protocol] : url.port;
    const allow = isLocal ? [`${url.hostname}:${String(port)}`] : [];
    return { ...(resolve === undefined ? {} : { resolve }), allow, ports: [httpsPort] };
  };
}

const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

const documentLimits = { maxBytes: 5 * 1024, connectMs: 2500, headersMs: 2500, totalMs: 3000 };

/** `etag`: of the document that is stored. */
export type FetchDocument = (clientUrl: string, etag: string | undefined) => Promise<FetchOutcome>;

/** Fetches under the rules of `createFetchRules`; no redirects, 3 s, 5 KB, JSON only. Never from this service. */
export function createDocumentFetch(options: FetchRulesOptions): FetchDocument {
  const rulesFor = createFetchRules(options);
  const ownHost = new URL(options.baseUrl).host;
  return async (clientUrl, etag) => {
    const url = new URL(clientUrl);
    if (url.host === ownHost) return { kind: 'refused', reason: 'it is an address of this service' };
    try {
      const accept = 'application/json';
      const request = { address: clientUrl, accept, userAgent: 'Linnet', limits: documentLimits, rules: rulesFor(url) };
      const response = await fetchPublicResponse({ ...request, ifNoneMatch: etag });
      return judgeResponse(response, etag);
    } catch (error) {
      if (error instanceof FileTooLarge) return { kind: 'refused', reason: 'it is larger than 5 KB' };
      if (error instanceof TypeError) return { kind: 'refused', reason: error.message };
      if (!(error instanceof FetchFailed)) throw error;
      return { kind: 'unavailable', reason: error.cause instanceof Error ? error.cause.message : error.message };
    }
  };
}

/** The same for any JSON document; undefined if there is none. */
export function createJsonFetch(options: FetchRulesOptions): (url: string) => Promise<unknown> {
  const fetchDocument = createDocumentFetch(options);
  return async (url) => {
    const outcome = await fetchDocument(url, undefined);
    return outcome.kind === 'received' ? outcome.received.document : undefined;
  };
}

/** Fetches the keys that applications publish at their `jwks_uri`. */
type Fetch = NonNullable<Configuration['fetch']>;

const keyLimits = { maxBytes: 65_536, connectMs: 2500, headersMs: 2500, totalMs: 2500 };
/** How long a failed fetch is not repeated, so that anonymous requests cannot make this server send a flood of its own. */
const failureMs = 5000;

/** Fetches the keys of an application under the rules of `createFetchRules`; no redirects, 2.5 s, 64 KB. */
export function createKeyFetch(options: FetchRulesOptions): Fetch {
  const rulesFor = createFetchRules(options);
  let failures: readonly { readonly address: string; readonly until: number }[] = [];
  const attempt = async (url: URL): Promise<Response> => {
    const accept = 'application/json, application/jwk-set+json';
    const request = { address: url.href, accept, userAgent: 'Linnet', limits: keyLimits, rules: rulesFor(url) };
    // Without headers: they could make the provider cache the keys for any time.
    return new Response((await fetchPublicDocument(request)).toString());
  };
  return async (input) => {
    const url = new URL(input instanceof Request ? input.url : input);
    failures = failures.filter(({ until }) => until > Date.now());
    if (failures.some((failure) => failure.address === url.href)) throw new TypeError('the last fetch just failed');
    try {
      return await attempt(url);
    } catch (error) {
      failures = [...failures, { address: url.href, until: Date.now() + failureMs }];
      throw error;
    }
  };
}
