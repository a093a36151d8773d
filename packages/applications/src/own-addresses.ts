import { ApplicationRefused, throwRefusals } from './application/application.ts';
import { redirectUriProblems } from './application/redirect-uri-policy.ts';
import type { ParsedSettings } from './settings/settings.ts';

/**
 * Refuses addresses of this service: a response that arrives at one of our pages would reach our logs, or a built-in
 * application. `baseUrl`: undefined accepts every address.
 * @throws ApplicationRefused with every one
 */
export function refuseOwnAddresses(
  { redirectUris, protocol }: Pick<ParsedSettings, 'redirectUris' | 'protocol'>,
  baseUrl: string | undefined,
): void {
  if (baseUrl === undefined) return;
  const { host } = new URL(baseUrl);
  const isOwn = (uri: string) => new URL(uri).host === host;
  throwRefusals([
    ...redirectUris.filter(isOwn).map((value) => {
      const message = `The redirect URI ${JSON.stringify(value)} ${redirectUriProblems['own-service']}`;
      return new ApplicationRefused({ field: 'redirect_uris', problem: 'own-service', value }, message);
    }),
    ...protocol.postLogoutRedirectUris.filter(isOwn).map((value) => {
      const message = `The post_logout_redirect_uris ${JSON.stringify(value)} ${redirectUriProblems['own-service']}`;
      return new ApplicationRefused({ field: 'post_logout_redirect_uris', problem: 'bad-address', value }, message);
    }),
  ]);
}
