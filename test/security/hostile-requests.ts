/** Generators of hostile requests: valid ones in which any value, name, header or path may be replaced. */
import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';

/** Names and values, percent-encoded, in order. */
export type EncodedPairs = readonly (readonly [name: string, value: string])[];

export interface HostileRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly pairs: EncodedPairs;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Target {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** A valid value for each parameter. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

const encodedPieces = [
  ...['%00', 'a%00b', '%ED%A0%80', '%ED%BF%BF', '%FF', '%C0%80', '%EF%BF%BD', '%EF%BB%BF', '%', '%z', '%u0000', '+'],
  ...['%F0%9F%94%91', '%E2%80%AE', '%0D%0ASet-Cookie:a=b', '%09', '%1B[31m', '%7F', '%C2%85', "'", '%22', '%5C'],
  ...['-1', '0', '1e999', '99999999999999999999', 'NaN', 'null', 'true', '%5B%5D', '%7B%7D', '%7B%22a%22:%7B%7D%7D'],
  ...['__proto__', 'constructor', 'toString', '../../etc/passwd', '%2F%2Fevil.example', 'javascript:alert(1)', 'none'],
  ...['https://evil.example/%00', 'http://[', 'urn:ietf:params:oauth:request_uri:%00', 'login', 'consent', 'S256'],
  ...[
    '%27;DROP TABLE account;--',
    '%5Cu0000',
    '$1',
    '%25s',
    'a'.repeat(2048),
    'a'.repeat(2049),
    '%F0%9F%94%91'.repeat(700),
  ],
];

const encodedText: Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...encodedPieces) },
  { weight: 2, arbitrary: fc.array(fc.constantFrom(...encodedPieces), { maxLength: 4 }).map((list) => list.join('')) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }).map(encodeURIComponent) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }).map(encodeBytes) },
);

function encodeBytes(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex').replaceAll(/../g, '%$&');
}

const claim: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom('\u0000', 'a\u0000b', '\uD800', '', 0, -1, 1e308, null, true, [], {}, ['\u0000'], { a: '\u0000' }),
  fc.constantFrom<unknown>('app_0123456789abcdef', ['app_0123456789abcdef']),
  fc.constantFrom('https://linnet.example', 'https://linnet.example/oauth/token', 4_102_444_800),
);

/** Unsigned or wrongly signed JWTs with hostile claims. */
const hostileJwt: Arbitrary<string> = fc
  .tuple(
    fc.record({ alg: claim, typ: claim, kid: claim, jwk: claim, crit: claim }, { requiredKeys: [] }),
    fc.record({ iss: claim, sub: claim, aud: claim, jti: claim, exp: claim, htu: claim }, { requiredKeys: [] }),
    fc.constantFrom('ES256', 'PS256', 'EdDSA', 'none', 'HS256'),
  )
  .map(([header, payload, alg]) => [toBase64({ alg, ...header }), toBase64(payload), 'AAAA'].join('.'));

function toBase64(value: unknown): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value), 'latin1').toString('base64url');
}

const hostileValue = fc.oneof({ weight: 9, arbitrary: encodedText }, { weight: 1, arbitrary: hostileJwt });

type Change = 'replace' | 'repeat' | 'remove';

const change = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Change>('replace') },
  { weight: 1, arbitrary: fc.constantFrom<Change>('repeat', 'remove') },
);

function applyChange(kept: readonly [string, string], kind: Change | undefined, hostile: string): EncodedPairs {
  if (kind === undefined) return [kept];
  if (kind === 'remove') return [];
  return kind === 'replace' ? [[kept[0], hostile]] : [kept, [kept[0], hostile]];
}

const extraPairs: Arbitrary<EncodedPairs> = fc.oneof(
  { weight: 20, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: fc.array(fc.tuple(encodedText, hostileValue), { minLength: 1, maxLength: 3 }) },
);

/** The parameters with at most two of them changed, so that most requests get far, and sometimes others. */
function changedPairs(parameters: Target['parameters']): Arbitrary<EncodedPairs> {
  const given = Object.entries(parameters);
  const changes = fc.array(fc.tuple(fc.nat(Math.max(given.length - 1, 0)), change, hostileValue), {
    minLength: 1,
    maxLength: 2,
  });
  return fc.tuple(extraPairs, changes).map(([extra, chosen]) => [
    ...extra,
    ...given.flatMap(([name, value], index) => {
      const [, kind, hostile = ''] = chosen.find(([position]) => position === index) ?? [];
      return applyChange([encodeURIComponent(name), encodeURIComponent(value)], kind, hostile);
    }),
  ]);
}

/** Replaces the values of some fields of a form, which is known only when the page was opened. */
export const formChanges = fc.array(fc.record({ field: fc.nat(1000), value: hostileValue }), { maxLength: 3 });
export interface FormChange {
  readonly field: number;
  readonly value: string;
}

/** Printable, because a client cannot send others. */
const headerText = fc.oneof(
  fc.constantFrom('', ',', ';', '"', '*', 'null', 'a'.repeat(3000), 'text/html;q=x', '%00', 'en-\u00ff', '-1'),
  fc.string({ unit: 'grapheme-ascii', maxLength: 40 }).map((text) => text.trim()),
);

const credentials = fc.oneof(
  fc.tuple(encodedText, encodedText).map((pair) => `Basic ${Buffer.from(pair.join(':')).toString('base64')}`),
  fc
    .constantFrom('\u0000:x', 'a\u0000:\u0000', '\uFFFD:x')
    .map((pair) => `Basic ${Buffer.from(pair).toString('base64')}`),
  fc.tuple(fc.constantFrom('Bearer', 'DPoP', 'Basic', 'x'), hostileJwt).map((pair) => pair.join(' ')),
  headerText,
);

const contentTypes = [
  'application/x-www-form-urlencoded; charset=utf-16le',
  'application/x-www-form-urlencoded; charset=latin1',
  'application/x-www-form-urlencoded; charset=nonsense',
  'application/json',
  'text/plain',
  'multipart/form-data; boundary=x',
  'multipart/form-data',
  '/',
];

const hostileCookies = encodedText.map(
  (text) => `_session=${text.slice(0, 2000)}; _interaction=${text.slice(0, 2000)}`,
);

/** Few headers are hostile at a time, so that most requests get past the checks of the headers. */
export const changedHeaders: Arbitrary<Readonly<Record<string, string>>> = fc.oneof(
  { weight: 40, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.record({ authorization: credentials }) },
  { weight: 1, arbitrary: fc.record({ dpop: fc.oneof(hostileJwt, headerText) }) },
  { weight: 1, arbitrary: fc.record({ 'content-type': fc.constantFrom(...contentTypes) }) },
  { weight: 1, arbitrary: fc.record({ accept: headerText, 'accept-language': headerText }) },
  { weight: 1, arbitrary: fc.record({ origin: headerText, 'user-agent': headerText, 'x-forwarded-for': headerText }) },
  { weight: 1, arbitrary: fc.record({ cookie: hostileCookies }) },
);

/** A longer path does not fit into the headers of a request: Node.js itself refuses it with 431. */
const pathSuffix = fc.oneof(
  { weight: 30, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: encodedText.map((text) => `/${text.replaceAll(/[ ?#]/g, '').slice(0, 10_000)}`) },
);

/** A request to one of the targets. */
export function hostileRequests(targets: readonly Target[]): Arbitrary<HostileRequest> {
  return fc
    .constantFrom(...targets)
    .chain(({ method, path, parameters, headers = {} }) =>
      fc
        .tuple(changedPairs(parameters), changedHeaders, pathSuffix)
        .map(([pairs, others, suffix]) => ({ method, path: path + suffix, pairs, headers: { ...headers, ...others } })),
    );
}

export function encodePairs(pairs: EncodedPairs): string {
  return pairs.map((pair) => pair.join('=')).join('&');
}

/** A path with a query that fits into the headers of a request. */
export function toAddress({ path, pairs }: Pick<HostileRequest, 'path' | 'pairs'>): string {
  return `${path}?${encodePairs(pairs)}`.replaceAll(' ', '%20').slice(0, 12_000);
}

const boundary = 'hostile-boundary';
export const multipartType = { 'content-type': `multipart/form-data; boundary=${boundary}` };

export function encodeMultipart(pairs: EncodedPairs): Buffer {
  const parts = pairs.map(
    ([name, value]) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${decodeToLatin1(value)}\r\n`,
  );
  return Buffer.from(`${parts.join('')}--${boundary}--\r\n`, 'latin1');
}

function decodeToLatin1(encoded: string): string {
  return encoded.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));
}
