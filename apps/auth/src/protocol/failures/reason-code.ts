/** Why a request was refused, as a code. Nothing decides by the wording of an error except `provider-wording.ts`. */
import { errors } from 'oidc-provider';

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

/** The provider's explanation, which goes to logs and to the owner of the application only. */
export function toReason(error: errors.OIDCProviderError): string {
  return error.error_detail ?? error.error_description ?? error.message;
}
