/** Redirect URIs of this service, such as the playground's, which work for the owner of the application only. */
import { errors, interactionPolicy } from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';

import { registrationOf } from '../client/client.ts';

const description = 'this redirect_uri works only for the owner of the application';

class OwnerOnlyRedirectUri extends errors.InvalidRedirectUri {
  override error_description = description;
}

/**
 * A check for the prompt `login`. The provider runs the checks of `login` first, when a request arrives and whenever
 * it resumes, so nobody but the owner gets a consent page, a remembered consent or a code.
 */
export function refuseStrangers(ownerOnlyUri: string): interactionPolicy.Check {
  return new interactionPolicy.Check('owner_only', description, 'invalid_redirect_uri', (ctx) => {
    if (isStranger(ctx, ownerOnlyUri)) throw new OwnerOnlyRedirectUri();
    return interactionPolicy.Check.NO_NEED_TO_PROMPT;
  });
}

/** A visitor is no stranger yet: the check runs again when they have signed in. */
function isStranger({ oidc: { client, params, session } }: KoaContextWithOIDC, ownerOnlyUri: string): boolean {
  const redirectUri = params?.['redirect_uri'];
  if (client === undefined || typeof redirectUri !== 'string' || session?.accountId === undefined) return false;
  // The provider accepts a redirect URI that differs in its query, if an application has registered it.
  const [withoutQuery] = redirectUri.split('?');
  return withoutQuery === ownerOnlyUri && session.accountId !== String(registrationOf(client).ownerId);
}
