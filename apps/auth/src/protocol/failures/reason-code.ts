/** Why a request was refused, as a code. Nothing decides by the wording of an error except `provider-wording.ts`. */
import { findProofFault } from '@linnet/service/http/dpop';
import { errors as joseErrors } from 'jose';
import { errors } from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';

import type { ReasonCode } from '../../audit/events.ts';
import { findCodeByWording } from './provider-wording.ts';

/** A code or refresh token that was used before (RFC 6749 §4.1.2, RFC 9700 §4.14). */
export class GrantReused extends errors.InvalidGrant {
  readonly reasonCode: ReasonCode;

  constructor(reasonCode: 'code_reused' | 'refresh_token_reused', detail: string) {
    super(detail);
    this.reasonCode = reasonCode;
  }
}

/** A client secret that was valid until it expired or was retired. */
export class SecretExpired extends errors.InvalidClientAuth {
  readonly reasonCode: ReasonCode = 'secret_expired';
  /** Its name or number. */
  readonly secret: string;
  /** ISO 8601. */
  readonly expiresAt: string;

  constructor(secret: string, expiresAt: string) {
    const time = expiresAt.slice(0, 16).replace('T', ' at ');
    super(`the secret ${secret} expired on ${time} UTC`);
    this.secret = secret;
    this.expiresAt = expiresAt;
  }
}

/** Undefined when `error` of the response says all there is. */
export function findReasonCode(error: Error): ReasonCode | undefined {
  if (error instanceof GrantReused || error instanceof SecretExpired) return error.reasonCode;
  return findCodeByWording(error);
}

/** For a reuse that the provider detected by itself, at the token endpoint. */
export function toReuseCode(grantType: unknown): ReasonCode {
  return grantType === 'refresh_token' ? 'refresh_token_reused' : 'code_reused';
}

/**
 * What was wrong with a client assertion or a DPoP proof and what is expected, where the provider does not say. It
 * names no value that was sent, so it is safe to send to the client.
 */
export function explainFailure(ctx: KoaContextWithOIDC, error: Error): string | undefined {
  if (error instanceof errors.InvalidClientAuth) {
    const hasSubject = ctx.oidc.params?.['client_assertion'] === undefined || ctx.oidc.client !== undefined;
    return hasSubject ? explainSignature(error) : 'client assertion: sub must be the client_id of an application';
  }
  if (!(error instanceof errors.InvalidDpopProof) || isReplay(error)) return undefined;
  const { method, oidc } = ctx;
  const fault = findProofFault({ proof: ctx.get('dpop'), method, url: oidc.urlFor(oidc.route) });
  return `DPoP proof: ${fault}`;
}

/** The cause is of jose, which the provider verifies signatures with. */
function explainSignature({ cause }: Error): string | undefined {
  if (cause instanceof joseErrors.JWKSNoMatchingKey) {
    return 'client assertion: kid and alg must be those of a registered key';
  }
  if (cause instanceof joseErrors.JWSSignatureVerificationFailed) {
    return 'client assertion: the signature does not verify with the registered keys';
  }
  return undefined;
}

/** Found by our own check, which explains itself. */
function isReplay({ error_description: description }: errors.OIDCProviderError): boolean {
  return description?.startsWith('jti was used before') === true;
}
