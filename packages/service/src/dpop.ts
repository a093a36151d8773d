import { hash } from 'node:crypto';

import { EmbeddedJWK, calculateJwkThumbprint, errors, jwtVerify } from 'jose';
import { z } from 'zod';

/** Algorithms of proofs, at the token endpoint and at the API. */
export const dpopAlgorithms = ['ES256', 'PS256', 'EdDSA'] as const;

/** Seconds that a proof is good for, and that its clock may be ahead. */
const windowSeconds = 60;
const maxProofLength = 8192;
const maxIdLength = 256;

/** The proof does not go with the request; the message tells why, in words that a client may read. */
export class InvalidProof extends Error {
  override readonly name = 'InvalidProof';
}

/** A request whose access token is bound to a key. */
export interface ProvenRequest {
  /** The header `DPoP`; empty when there is none. */
  readonly proof: string;
  readonly method: string;
  /** Without query and fragment. */
  readonly url: string;
  readonly token: string;
  /** The claim `cnf.jkt` of the token. */
  readonly boundTo: string;
}

interface CheckedProof {
  /** SHA-256 of the key and the proof's `jti`: whoever sees it twice refuses the second. */
  readonly idSha256: Buffer;
  /** From then on the proof is refused as too old. */
  readonly expiresAt: Date;
}

const claimsSchema = z.object({
  htm: z.string(),
  htu: z.string(),
  ath: z.string(),
  jti: z.string().min(1).max(maxIdLength),
  iat: z.number(),
});

/**
 * Checks the proof of a request with a bound access token (RFC 9449 §4.3 and §7.1); whether it was
 * seen before is for the caller to say.
 * @throws InvalidProof
 */
export async function checkProof(request: ProvenRequest, now: () => number = Date.now): Promise<CheckedProof> {
  const { claims, thumbprint } = await verify(request.proof);
  const { htm, htu, ath, jti, iat } = claims;
  if (thumbprint !== request.boundTo) throw new InvalidProof('the proof is signed with another key');
  if (htm !== request.method) throw new InvalidProof('htm is another method');
  if (withoutQuery(htu) !== withoutQuery(request.url)) throw new InvalidProof('htu is another address');
  if (ath !== hash('sha256', request.token, 'base64url')) throw new InvalidProof('ath is of another access token');
  if (Math.abs(now() / 1000 - iat) > windowSeconds) throw new InvalidProof('iat is not recent');
  return {
    idSha256: hash('sha256', `${thumbprint} ${jti}`, 'buffer'),
    expiresAt: new Date((iat + windowSeconds) * 1000),
  };
}

async function verify(proof: string) {
  if (proof === '') throw new InvalidProof('there is no proof in the header DPoP');
  if (proof.length > maxProofLength) throw new InvalidProof('the proof is too long');
  try {
    const options = { typ: 'dpop+jwt', algorithms: [...dpopAlgorithms] };
    const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, options);
    // EmbeddedJWK has refused a token without a public key.
    const thumbprint = await calculateJwkThumbprint(protectedHeader.jwk ?? {});
    return { claims: claimsSchema.parse(payload), thumbprint };
  } catch (error) {
    if (!isMalformed(error)) throw error;
    throw new InvalidProof('the proof is malformed or its signature is wrong', { cause: error });
  }
}

/** A key that cannot be imported is a TypeError or a DOMException, whichever the platform likes. */
function isMalformed(error: unknown): boolean {
  return (
    error instanceof errors.JOSEError ||
    error instanceof z.ZodError ||
    error instanceof TypeError ||
    error instanceof DOMException
  );
}

/** Scheme and host whatever their case (RFC 3986 §6.2.2). */
function withoutQuery(text: string): string | undefined {
  const url = URL.parse(text);
  return url === null ? undefined : `${url.origin}${url.pathname}`;
}
