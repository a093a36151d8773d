/**
 * Which redirect URIs an application may register (security checklist DV1, RFC 9700 §2.1, RFC 8252 §7). They are later
 * compared byte by byte, so each must be in normal form. The rules are in reading order; the first broken one is reported.
 */
import type { ApplicationType } from './application-type.ts';
import { isPlainScheme, isReservedScheme, isReversedDomain } from './links.ts';

const maxLength = 2048;
const maxStateLength = 2048;

/** The problems, each with text that follows the URI. */
export const redirectUriProblems = {
  'too-long': `is longer than ${String(maxLength)} characters.`,
  'not-ascii': 'contains a space, a control character, a backslash or a non-ASCII character. Percent-encode it.',
  'not-absolute': 'is not an absolute URI, such as https://app.example.com/callback.',
  fragment: 'has a fragment. Remove the # and everything after it.',
  userinfo: 'contains a username or password. Remove it.',
  'insecure-scheme': 'uses http. Use https; http is only allowed for localhost, 127.0.0.1 and [::1].',
  'unsupported-scheme': 'does not begin with https://. Only native applications can use custom schemes.',
  'reserved-scheme': 'has a scheme that browsers or operating systems handle themselves. Use one of your own.',
  'scheme-without-dot':
    'has a scheme that is not a reversed domain name, and no :// after it. Use one such as com.example.app:/callback.',
  'loopback-https': 'uses https for a loopback address. Use http.',
  'wildcard-host': 'has a * in its host. Register each host separately.',
  'encoded-control': 'contains an encoded control character or invalid percent-encoding.',
  'dot-segment': 'has "." or ".." in its path. Use the resolved path.',
  'reserved-parameter': 'has a query parameter that is reserved for the response, such as code, iss, error or scope.',
  'bad-state': 'has a state parameter that is repeated or not valid Base64.',
  'not-normal': 'is not normalized. Use lower case for scheme and host, and omit the default port.',
  'own-service': 'belongs to this service. Use the address of your application.',
} as const;

export type RedirectUriProblem = keyof typeof redirectUriProblems;

interface Candidate {
  readonly raw: string;
  readonly url: URL;
  readonly type: ApplicationType;
}

const reservedParameters = new Set([
  'code',
  'iss',
  'error',
  'error_description',
  'error_uri',
  'scope',
  'response',
  'access_token',
  'token_type',
  'expires_in',
  'refresh_token',
  'id_token',
  'session_state',
]);
const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

const rules: readonly (readonly [RedirectUriProblem, (candidate: Candidate) => boolean])[] = [
  ['fragment', ({ raw }) => raw.includes('#')],
  ['userinfo', ({ raw }) => authorityOf(raw).includes('@')],
  ['insecure-scheme', ({ url }) => url.protocol === 'http:' && !loopbackHosts.has(url.hostname)],
  ['unsupported-scheme', ({ url, type }) => !isWeb(url) && type !== 'native'],
  ['reserved-scheme', ({ url }) => !isWeb(url) && isReservedScheme(url.protocol)],
  [
    'scheme-without-dot',
    ({ raw, url }) =>
      !isWeb(url) && !isReversedDomain(url.protocol) && !(isPlainScheme(url.protocol) && authorityOf(raw) !== ''),
  ],
  [
    'loopback-https',
    ({ url, type }) => type === 'native' && url.protocol === 'https:' && loopbackHosts.has(url.hostname),
  ],
  ['wildcard-host', ({ url }) => url.hostname.includes('*')],
  ['encoded-control', ({ raw }) => hasEncodedControl(raw)],
  ['dot-segment', ({ raw }) => hasDotSegment(raw)],
  ['reserved-parameter', ({ url }) => [...url.searchParams.keys()].some((name) => reservedParameters.has(name))],
  ['bad-state', ({ url }) => hasBadState(url)],
  ['not-normal', ({ raw, url }) => !isNormal(raw, url)],
];

/** The first rule that `uri` breaks for an application of this type; undefined if it is allowed. */
export function findRedirectUriProblem(uri: string, type: ApplicationType): RedirectUriProblem | undefined {
  if (uri.length > maxLength) return 'too-long';
  if (!/^[!-[\]-~]*$/.test(uri)) return 'not-ascii'; // printable ASCII without space and backslash
  const url = URL.parse(uri);
  if (url === null) return 'not-absolute';
  return rules.find(([, isBroken]) => isBroken({ raw: uri, url, type }))?.[0];
}

function isWeb(url: URL): boolean {
  return url.protocol === 'https:' || url.protocol === 'http:';
}

/** The part between `//` and the path. Read from the text, because URL hides an empty username. */
function authorityOf(raw: string): string {
  return /^[^:]*:\/\/([^/?#]*)/.exec(raw)?.[1] ?? '';
}

function hasEncodedControl(raw: string): boolean {
  const text = decodeFully(raw);
  // oxlint-disable-next-line no-control-regex -- these are the characters to reject
  return text === undefined || /[\u0000-\u001F\u007F-\u009F]/.test(text);
}

function hasDotSegment(raw: string): boolean {
  const path = raw.replace(/^[^:]*:(\/\/[^/?#]*)?/, '').replace(/[?#].*$/s, '');
  const segments = (decodeFully(path) ?? '').split(/[/\\]/);
  return segments.includes('.') || segments.includes('..');
}

/** Decodes until nothing changes, as a chain of servers might. Undefined if the text is malformed. */
function decodeFully(text: string): string | undefined {
  let decoded = decode(text);
  while (decoded !== undefined) {
    const next = decode(decoded);
    if (next === undefined || next === decoded) break;
    decoded = next;
  }
  return decoded;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The specification allows `state` in the URI: at most once, with a literal name and a Base64 value (D47). */
function hasBadState(url: URL): boolean {
  const values = url.searchParams.getAll('state');
  const literal = url.search
    .slice(1)
    .split('&')
    .filter((pair) => /^state(=|$)/.test(pair));
  if (values.length !== literal.length || values.length > 1) return true;
  const value = decode(literal[0]?.slice('state='.length) ?? '') ?? '%';
  return value.length > maxStateLength || !/^[A-Za-z0-9+/_-]*={0,2}$/.test(value);
}

/** Whether URL serializes it unchanged. The `/` after a bare host may be omitted. */
function isNormal(raw: string, url: URL): boolean {
  if (raw === url.href) return true;
  return raw.startsWith(url.origin) && url.href === `${url.origin}/${raw.slice(url.origin.length)}`;
}
