/** The prompts of an interaction: the provider's `login` and `consent`, and `select_account` between them. */

import { webClientId } from '@linnet/applications/application/built-in-store';
import { errors, interactionPolicy } from 'oidc-provider';
import type { Client, KoaContextWithOIDC } from 'oidc-provider';

import { identityScopes, requireRequestedClass, requireRequestedSubject } from '../claims/claims.ts';
import { registrationOf } from '../client/client.ts';
import { describeSwitch } from '../client/switched-off.ts';
import { isConsentRemembered } from '../grant/consent-grant.ts';

/** Redirect URIs of this service, such as the playground's, which work for the owner of the application only. */
const description = 'this redirect_uri works only for the owner of the application';

class OwnerOnlyRedirectUri extends errors.InvalidRedirectUri {
  override error_description = description;
}

/**
 * A check for the prompt `login`. The provider runs the checks of `login` first, when a request arrives and whenever
 * it resumes, so nobody but the owner gets a consent page, a remembered consent or a code.
 */
function refuseStrangers(ownerOnlyUri: string): interactionPolicy.Check {
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

/** OpenID Connect Core §3.1.2.1. The provider reserves the name and its error, but has no such prompt. */
export const selectAccountPrompt = 'select_account';

/** The values of the parameter `prompt` (`prompt_values_supported`). */
export const promptValues = ['none', 'login', selectAccountPrompt, 'consent'] as const;

/**
 * `select_account` comes after `login`: a visitor who signs in has selected an account, and a person who
 * is signed in confirms it before the consent page. `ownerOnlyUri` is the redirect URI that works for owners of applications only,
 * `audience` that of our own API.
 */
export function createInteractionPolicy(ownerOnlyUri: string, audience: string): interactionPolicy.DefaultPolicy {
  const policy = interactionPolicy.base();
  policy.get('login')?.checks.add(refuseStrangers(ownerOnlyUri), 0);
  policy.get('login')?.checks.add(refuseWithdrawn(), 0);
  policy.get('login')?.checks.add(requireRequestedClass(), 0);
  policy.get('login')?.checks.add(requireRequestedSubject());
  // All scopes are also scopes of the API, which a check of their own covers; claims follow scopes. The consent page
  // stores neither OpenID Connect scopes nor claims that were declined, so these checks would ask for ever.
  policy.get('consent')?.checks.remove('op_scopes_missing');
  policy.get('consent')?.checks.remove('op_claims_missing');
  policy.get('consent')?.checks.add(askForIdentity(audience));
  // Replaced by a check that knows where the response goes.
  policy.get('consent')?.checks.remove('native_client_prompt');
  policy.get('consent')?.checks.add(askEveryTime(), 0);
  policy.add(new interactionPolicy.Prompt({ name: selectAccountPrompt, requestable: true }), 1);
  return policy;
}

/**
 * A check for the prompt `consent`. Grants keep OpenID Connect scopes also as scopes of our own API, so the provider's
 * check of its scopes covers them. This one covers requests that name other resources only (RFC 8707).
 * `audience` is that of our own API.
 */
function askForIdentity(audience: string): interactionPolicy.Check {
  const { NO_NEED_TO_PROMPT, REQUEST_PROMPT } = interactionPolicy.Check;
  return new interactionPolicy.Check('identity_missing', 'requested scopes not granted', ({ oidc }) =>
    isAnyMissing(oidc, audience) ? REQUEST_PROMPT : NO_NEED_TO_PROMPT,
  );
}

function isAnyMissing({ params, resourceServers, entities }: KoaContextWithOIDC['oidc'], audience: string): boolean {
  const scope = params?.['scope'];
  if (typeof scope !== 'string' || resourceServers?.[audience] !== undefined) return false;
  const encountered = entities.Grant?.getResourceScopeEncountered(audience).split(' ') ?? [];
  return scope.split(' ').some((name) => identityScopes.includes(name) && !encountered.includes(name));
}

/**
 * Authorization requests that wait for a person while the application changes: a removed redirect URI, and a grant type
 * that was switched off, also end the pages that are open.
 */
type Params = Readonly<Record<string, unknown>>;

/** Whether the application may still receive the response. */
export function isStillAllowed(client: Client, params: Params): boolean {
  return hasResponseType(client, params) && client.redirectUriAllowed(String(params['redirect_uri']));
}

function hasResponseType({ responseTypes = [] }: Client, params: Params): boolean {
  return responseTypes.some((type) => type === params['response_type']);
}

/** A check for the prompt `login`, which the provider runs first whenever a request resumes. */
function refuseWithdrawn(): interactionPolicy.Check {
  return new interactionPolicy.Check('withdrawn', 'the application has changed', 'unauthorized_client', ({ oidc }) => {
    const { client, params = {} } = oidc;
    if (client === undefined || isStillAllowed(client, params)) return interactionPolicy.Check.NO_NEED_TO_PROMPT;
    if (hasResponseType(client, params)) throw new errors.InvalidRedirectUri();
    throw new errors.UnauthorizedClient(
      describeSwitch(params['response_type'] === 'none' ? 'implicit' : 'authorization_code'),
    );
  });
}

const consentDescription = 'this application is asked for consent every time with this redirect_uri';

/** A check for the prompt `consent`, for requests that cannot use an earlier consent. */
function askEveryTime(): interactionPolicy.Check {
  const { NO_NEED_TO_PROMPT, REQUEST_PROMPT } = interactionPolicy.Check;
  const check: interactionPolicy.Check['check'] = ({ oidc: { client, params, result } }) => {
    if (client === undefined || result?.consent !== undefined) return NO_NEED_TO_PROMPT;
    if (client.clientId === webClientId) return NO_NEED_TO_PROMPT;
    const redirectUri = params?.['redirect_uri'];
    const { type } = registrationOf(client);
    const isRemembered = isConsentRemembered(type, typeof redirectUri === 'string' ? redirectUri : undefined);
    return isRemembered ? NO_NEED_TO_PROMPT : REQUEST_PROMPT;
  };
  return new interactionPolicy.Check('consent_not_remembered', consentDescription, 'consent_required', check);
}
