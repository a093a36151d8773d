/** The prompts of an interaction: the provider's `login` and `consent`, and `select_account` between them. */
import { interactionPolicy } from 'oidc-provider';

import { requireRequestedSubject } from '../claims/claims-parameter.ts';
import { askForIdentity } from './identity-consent.ts';
import { refuseStrangers } from './owner-only-redirect-uri.ts';
import { refuseWithdrawn } from './withdrawn-request.ts';

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
  policy.get('login')?.checks.add(requireRequestedSubject());
  // All scopes are scopes of the API, too, which a check of their own covers; claims follow scopes. The consent page
  // stores neither OpenID Connect scopes nor claims that were declined, so these checks would ask for ever.
  policy.get('consent')?.checks.remove('op_scopes_missing');
  policy.get('consent')?.checks.remove('op_claims_missing');
  policy.get('consent')?.checks.add(askForIdentity(audience));
  policy.add(new interactionPolicy.Prompt({ name: selectAccountPrompt, requestable: true }), 1);
  return policy;
}
