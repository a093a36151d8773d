import type { Provider } from 'oidc-provider';

/**
 * Puts the claim `sid` into every ID token. The provider does so only for clients that require it for back-channel
 * logout; others need it too, to know which session a logout token is about.
 */
export function addSessionIds(provider: Provider): void {
  Reflect.set(provider.Client.prototype, 'includeSid', () => true);
}
