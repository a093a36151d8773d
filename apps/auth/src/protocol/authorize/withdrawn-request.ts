/**
 * Authorization requests that wait for a person while the application changes: a removed redirect URI, and a grant type
 * that was switched off, also end the pages that are open.
 */
import { errors, interactionPolicy } from 'oidc-provider';
import type { Client } from 'oidc-provider';

import { describeSwitch } from '../failures/switched-off.ts';

type Params = Readonly<Record<string, unknown>>;

/** Whether the application may still receive the response. */
export function isStillAllowed(client: Client, params: Params): boolean {
  return hasResponseType(client, params) && client.redirectUriAllowed(String(params['redirect_uri']));
}

function hasResponseType({ responseTypes = [] }: Client, params: Params): boolean {
  return responseTypes.some((type) => type === params['response_type']);
}

/** A check for the prompt `login`, which the provider runs first whenever a request resumes. */
export function refuseWithdrawn(): interactionPolicy.Check {
  return new interactionPolicy.Check('withdrawn', 'the application has changed', 'unauthorized_client', ({ oidc }) => {
    const { client, params = {} } = oidc;
    if (client === undefined || isStillAllowed(client, params)) return interactionPolicy.Check.NO_NEED_TO_PROMPT;
    if (hasResponseType(client, params)) throw new errors.InvalidRedirectUri();
    throw new errors.UnauthorizedClient(
      describeSwitch(params['response_type'] === 'none' ? 'implicit' : 'authorization_code'),
    );
  });
}
