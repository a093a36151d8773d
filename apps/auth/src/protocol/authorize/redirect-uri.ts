import type { Client, Provider } from 'oidc-provider';

import { registrationOf } from '../client/client.ts';

const maxStateLength = 2048;
const base64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

/**
 * Whether `presented` equals `registered` except for one query parameter named `state` (specification, User consent
 * flow; decisions D47). Compares bytes and normalizes nothing.
 */
export function equalsExceptState(registered: string, presented: string): boolean {
  if (registered.includes('#') || presented.includes('#')) return false;
  const ours = splitUri(registered);
  const theirs = splitUri(presented);
  const states = theirs.pairs.filter(isState);
  return (
    ours.base === theirs.base &&
    states.length <= 1 &&
    states.every(isAllowedState) &&
    equalPairs(withoutState(ours.pairs), withoutState(theirs.pairs))
  );
}

function splitUri(uri: string): { readonly base: string; readonly pairs: readonly string[] } {
  const question = uri.indexOf('?');
  if (question === -1) return { base: uri, pairs: [] };
  return { base: uri.slice(0, question), pairs: uri.slice(question + 1).split('&') };
}

function isState(pair: string): boolean {
  return pair === 'state' || pair.startsWith('state=');
}

function isAllowedState(pair: string): boolean {
  try {
    const value = decodeURIComponent(pair.slice('state='.length));
    return value.length <= maxStateLength && base64.test(value);
  } catch {
    return false;
  }
}

function withoutState(pairs: readonly string[]): readonly string[] {
  return pairs.filter((pair) => !isState(pair));
}

function equalPairs(ours: readonly string[], theirs: readonly string[]): boolean {
  return ours.length === theirs.length && ours.every((pair, index) => pair === theirs[index]);
}

/** Lets the provider accept a redirect URI that differs in `state` only, and the additional ones, byte for byte. */
export function allowStateInRedirectUri(provider: Provider): void {
  const { prototype } = provider.Client;
  // oxlint-disable-next-line typescript/unbound-method -- called below with the right `this`
  const original = prototype.redirectUriAllowed;
  prototype.redirectUriAllowed = function redirectUriAllowed(this: Client, presented: string) {
    if (Reflect.apply(original, this, [presented])) return true;
    if (registrationOf(this).additionalRedirectUris.includes(presented)) return true;
    return (this.redirectUris ?? []).some((registered) => equalsExceptState(registered, presented));
  };
}
