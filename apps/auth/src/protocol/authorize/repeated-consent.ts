import { interactionPolicy } from 'oidc-provider';

import { webClientId } from '@linnet/applications/application/built-in-store';

import { registrationOf } from '../client/client.ts';
import { isConsentRemembered } from '../grant/consent-grant.ts';

const description = 'this application is asked for consent every time with this redirect_uri';

/** A check for the prompt `consent`, for requests that cannot use an earlier consent. */
export function askEveryTime(): interactionPolicy.Check {
  const { NO_NEED_TO_PROMPT, REQUEST_PROMPT } = interactionPolicy.Check;
  const check: interactionPolicy.Check['check'] = ({ oidc: { client, params, result } }) => {
    if (client === undefined || result?.consent !== undefined) return NO_NEED_TO_PROMPT;
    if (client.clientId === webClientId) return NO_NEED_TO_PROMPT;
    const redirectUri = params?.['redirect_uri'];
    const { type } = registrationOf(client);
    const isRemembered = isConsentRemembered(type, typeof redirectUri === 'string' ? redirectUri : undefined);
    return isRemembered ? NO_NEED_TO_PROMPT : REQUEST_PROMPT;
  };
  return new interactionPolicy.Check('consent_not_remembered', description, 'consent_required', check);
}
