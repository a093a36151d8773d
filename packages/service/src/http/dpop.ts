import { hash } from 'node:crypto';

import { EmbeddedJWK, calculateJwkThumbprint, decodeJwt, decodeProtectedHeader, errors, jwtVerify } from 'jose';
import { z } from 'zod';

/** Signature algorithms that the token endpoint and the API accept in proofs. */
export const dpopAlgorithms = ['ES256', 'PS256', 'EdDSA'] as const;

/** Seconds that a proof is valid after `iat`, and that `iat` may be in the future. */
const windowSeconds = 60;
const maxProofLength = 8192;
const maxIdLength = 256;

/** The proof is not valid for the request. The message gives the reason; it is safe to send to the client. */
export class InvalidProof extends Error {
  override readonly name = 'InvalidProof';
}

/** A request with an access token that is bound to a key. */
export interface BoundRequest {
  /** Value of the header `DPoP`; empty if it is missing. */
  readonly proof: string;
  readonly method: string;
  /** Absolute, without query and fragment. */
  readonly url: string;
  readonly token: string;
  /** Claim `cnf.jkt` of the token. */
  readonly boundTo: string;
}

interface CheckedProof {
  /** SHA-256 of the key's thumbprint and the proof's `jti`. The caller must reject a second request with it. */
  readonly idSha256: Buffer;
  /** When the proof becomes too old. */
  readonly expiresAt: Date;
}

const claimsSchema = z.looseObject({
  htm: z.string(),
  htu: z.string(),
  ath: z.string().optional(),
  jti: z.string().min(1).max(maxIdLength),
  iat: z.number(),
});

/**
 * Checks the proof of a request with a bound access token (RFC 9449 §4.3 and §7.1). The caller must detect replays.
 * @param now The current time in milliseconds.
 * @throws InvalidProof
 */
export async function checkProof(request: BoundRequest, now: () => number = Date.now): Promise<CheckedProof> {
  const { claims, thumbprint } = await verify(request, now);
  const { ath, jti, iat } = claims;
  const fault = findClaimFault(claims, request, now);
  if (fault !== undefined) throw new InvalidProof(fault);
  if (thumbprint !== request.boundTo) throw new InvalidProof('the access token is bound to another key');
  if (ath !== hash('sha256', request.token, 'base64url')) {
    throw new InvalidProof('ath must be the base64url SHA-256 of the access token');
  }
  return {
    idSha256: hash('sha256', `${thumbprint} ${jti}`, 'buffer'),
    expiresAt: new Date((iat + windowSeconds) * 1000),
  };
}

/** A request that a proof is for. */
interface ProvenRequest {
  readonly proof: string;
  readonly method: string;
  /** Absolute, without query and fragment. */
  readonly url: string;
}

/**
 * The first thing that is wrong with a proof that was refused, and what is expected (RFC 9449 §4.3). It names no value
 * of the proof, so it is safe to send. `ath` and replays are for the caller.
 */
export function findProofFault(request: ProvenRequest, now?: () => number): string {
  return findUnsignedFault(request, now) ?? 'the signature does not verify with the key in jwk';
}

/** The same without the signature, which it does not check. */
export function findUnsignedFault(request: ProvenRequest, now: () => number = Date.now): string | undefined {
  const malformation = findMalformation(request.proof);
  if (malformation !== undefined) return malformation;
  const claims = decodeJwt(request.proof);
  const fault = findClaimFault(claims, request, now);
  if (fault !== undefined || claims['nonce'] === undefined) return fault;
  return 'nonce must be absent: this server issues no nonces';
}

function findMalformation(proof: string): string | undefined {
  try {
    const { typ, alg, jwk } = decodeProtectedHeader(proof);
    decodeJwt(proof);
    if (typ !== 'dpop+jwt') return 'typ must be dpop+jwt';
    if (!dpopAlgorithms.some((one) => one === alg)) return `alg must be one of ${dpopAlgorithms.join(', ')}`;
    return jwk === undefined ? 'jwk must be the public key of the proof' : undefined;
  } catch {
    return 'the proof is not a JWT';
  }
}

function findClaimFault(
  { htm, htu, jti, iat }: Readonly<Record<string, unknown>>,
  { method, url }: Omit<ProvenRequest, 'proof'>,
  now: () => number,
): string | undefined {
  const checks: readonly (readonly [isWrong: boolean, text: string])[] = [
    [htm !== method, `htm must be ${method}`],
    [typeof htu !== 'string' || withoutQuery(htu) !== withoutQuery(url), `htu must be ${url}`],
    [
      typeof iat !== 'number' || Math.abs(now() / 1000 - iat) > windowSeconds,
      `iat must be within ${String(windowSeconds)} seconds of the server's time, which is ${String(Math.floor(now() / 1000))}`,
    ],
    [
      typeof jti !== 'string' || jti === '' || jti.length > maxIdLength,
      `jti must have 1 to ${String(maxIdLength)} characters`,
    ],
  ];
  return checks.find(([isWrong]) => isWrong)?.[1];
}

async function verify(request: ProvenRequest, now: () => number) {
  const { proof } = request;
  if (proof === '') throw new InvalidProof('the DPoP header is missing');
  if (proof.length > maxProofLength) {
    throw new InvalidProof(`the proof must have at most ${String(maxProofLength)} characters`);
  }
  try {
    const options = { typ: 'dpop+jwt', algorithms: [...dpopAlgorithms] };
    const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, options);
    if (protectedHeader.jwk === undefined) throw new Error('EmbeddedJWK accepted a proof without a key.');
    const thumbprint = await calculateJwkThumbprint(protectedHeader.jwk);
    return { claims: claimsSchema.parse(payload), thumbprint };
  } catch (error) {
    if (!isMalformed(error)) throw error;
    throw new InvalidProof(findProofFault(request, now), { cause: error });
  }
}

/** A key that cannot be imported is a TypeError or a DOMException, depending on the platform. */
function isMalformed(error: unknown): boolean {
  return (
    error instanceof errors.JOSEError ||
    error instanceof z.ZodError ||
    error instanceof TypeError ||
    error instanceof DOMException
  );
}

/** `URL` also normalizes the case of scheme and host (RFC 3986 §6.2.2). */
function withoutQuery(text: string): string | undefined {
  const url = URL.parse(text);
  return url === null ? undefined : `${url.origin}${url.pathname}`;
}
