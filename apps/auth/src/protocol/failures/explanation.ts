import { findProofFault } from '@linnet/service/http/dpop';
import { errors as joseErrors } from 'jose';
import { errors } from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';

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
