/**
 * The API Explorer: the public client with which the API reference gets access tokens, with PKCE and the consent of a person. It
 * belongs to the service, so it has no owner and nobody can manage its registration.
 */
export const apiExplorerId = 'built-in-api-explorer';

/** Where its authorization responses arrive: a page of the reference. */
export function apiExplorerRedirectUri(baseUrl: string): string {
  return `${baseUrl}/api/v2.0/docs/authorized`;
}
