import { ApplicationRefused } from '../application/application.ts';
import type { ParsedSettings } from '../settings/settings.ts';

/** What an application may use that nobody answers for; the column has a constraint with the same list. */
export const selfRegisteredGrantTypes: readonly string[] = ['authorization_code', 'refresh_token'];

/**
 * The limits of an application that registered itself: it acts only for people who authorize it in their browser.
 * @throws ApplicationRefused
 */
export function requireSelfRegistrable({
  actAsOwner,
  protocol,
}: Pick<ParsedSettings, 'actAsOwner' | 'protocol'>): void {
  const excess = protocol.grantTypes.find((grantType) => !selfRegisteredGrantTypes.includes(grantType));
  if (!actAsOwner && excess === undefined) return;
  throw new ApplicationRefused(
    { field: 'grant_types', problem: 'not-for-type', value: excess ?? 'client_credentials' },
    'An application that registers itself can use authorization_code and refresh_token only. Register it in the developer area for other grant types.',
  );
}
