/**
 * Which return addresses an application may register (security checklist DV1, RFC 9700 §2.1,
 * RFC 8252 §7). Addresses are compared byte by byte later, so each has to be written in its one
 * normal form. The rules stand in reading order; the first that is broken is told.
 */
import type { ApplicationType } from './application-type.ts';

const maxLength = 2048;
const maxStateLength = 2048;

/** Each with the sentence that tells it. */
export const redirectUriProblems = {
  'too-long': `is longer than ${String(maxLength)} characters`,
  'not-ascii': 'holds a space, a control character, a backslash or a character outside ASCII',
  'not-absolute': 'is not an absolute URI',
  fragment: 'has a fragment',
  userinfo: 'has a user name or password before its host',
  'insecure-scheme': 'uses http for a host other than localhost, 127.0.0.1 or [::1]',
  'unsupported-scheme': 'has a scheme other than https',
  'scheme-without-dot': 'has a private-use scheme that is no reversed domain name, such as com.example.app',
  'loopback-https': 'uses https for a loopback host, which a native application cannot hold a certificate for',
  'wildcard-host': 'has a host with a wildcard',
  'encoded-control': 'holds an encoded control character or a malformed percent-encoding',
  'dot-segment': 'has a path with dot segments',
  'reserved-parameter': 'has a query parameter that belongs to the answer of the authorization server',
  'bad-state': 'has a state parameter that is repeated, or whose value is not Base64',
  'not-normal': 'is not written in its normal form',
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
  ['scheme-without-dot', ({ url }) => !isWeb(url) && !/^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(url.protocol)],
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

/** What forbids an application of `type` to register `uri`, or undefined. */
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

/** What stands between `//` and the path; URL would hide an empty user name. */
function authorityOf(raw: string): string {
  return /^[^:]*:\/\/([^/?#]*)/.exec(raw)?.[1] ?? '';
}

function hasEncodedControl(raw: string): boolean {
  const text = decodeFully(raw);
  // oxlint-disable-next-line no-control-regex -- these are the characters to be refused
  return text === undefined || /[\u0000-\u001F\u007F-\u009F]/.test(text);
}

function hasDotSegment(raw: string): boolean {
  const path = raw.replace(/^[^:]*:(\/\/[^/?#]*)?/, '').replace(/[?#].*$/s, '');
  const segments = (decodeFully(path) ?? '').split(/[/\\]/);
  return segments.includes('.') || segments.includes('..');
}

/** Decodes until nothing changes, as a chain of servers might; undefined when the first round fails. */
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

/** The specification lets `state` stand in the address: once, named literally, its value Base64 (decisions D47). */
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

/** As URL writes it; the `/` after a bare host may be left out. */
function isNormal(raw: string, url: URL): boolean {
  if (raw === url.href) return true;
  return raw.startsWith(url.origin) && url.href === `${url.origin}/${raw.slice(url.origin.length)}`;
}
