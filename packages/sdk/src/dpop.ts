/** Proofs that a request comes from who holds the key of its token (DPoP, RFC 9449). */

/** The key that tokens are bound to; ECDSA with P-256. */
export type BoundKey = () => Promise<CryptoKeyPair>;

/** A key that nothing can copy. */
export async function generateKey(): Promise<CryptoKeyPair> {
  return await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify']);
}

interface ProvenRequest {
  readonly method: string;
  readonly url: string | URL;
  /** The access token that the request presents, if any. */
  readonly token?: string;
}

/** Services accept proofs of a minute, and clocks of devices are often wrong: the difference to the service's clock. */
let clockOffsetMs = 0;
const negligibleMs = 5000;

/** Learns from a response what time it is. Browsers hide the header from other origins. */
export function noteClock({ headers }: Response): void {
  const date = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(date)) return;
  const offset = date - Date.now();
  clockOffsetMs = Math.abs(offset) < negligibleMs ? 0 : offset;
}

/** How a request presents a token: as `Bearer`, or with a proof of the key that it is bound to. */
export async function authorizationHeaders(
  key: BoundKey | undefined,
  request: ProvenRequest & { readonly token: string },
): Promise<Readonly<Record<string, string>>> {
  if (key === undefined) return { authorization: `Bearer ${request.token}` };
  return { authorization: `DPoP ${request.token}`, dpop: await createProof(key, request) };
}

export async function createProof(key: BoundKey, { method, url, token }: ProvenRequest): Promise<string> {
  const { publicKey, privateKey } = await key();
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', publicKey);
  const { origin, pathname } = new URL(url);
  const claims = {
    jti: crypto.randomUUID(),
    htm: method,
    htu: `${origin}${pathname}`,
    iat: Math.floor((Date.now() + clockOffsetMs) / 1000),
    ...(token === undefined ? {} : { ath: encode(await crypto.subtle.digest('SHA-256', bytesOf(token))) }),
  };
  const header = { typ: 'dpop+jwt', alg: 'ES256', jwk: { kty, crv, x, y } };
  const content = [header, claims].map((part) => encode(bytesOf(JSON.stringify(part)))).join('.');
  const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, bytesOf(content));
  return `${content}.${encode(signature)}`;
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** base64url */
function encode(bytes: ArrayBuffer | Uint8Array): string {
  const binary = Array.from(new Uint8Array(bytes), (byte) => String.fromCodePoint(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
