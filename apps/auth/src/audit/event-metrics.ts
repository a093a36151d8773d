import type { ApplicationUsage } from '@linnet/applications/usage/application-usage-store';
import type { Metrics } from '@linnet/service/metrics/metrics';

import type { AuthEvents } from './events.ts';

/** The labels of grant types. A label must not be able to take any other value. */
const grantLabels: ReadonlyMap<string, string> = new Map([
  ['authorization_code', 'authorization_code'],
  ['client_credentials', 'client_credentials'],
  ['refresh_token', 'refresh_token'],
  ['urn:ietf:params:oauth:grant-type:device_code', 'device_code'],
]);

/** Error codes of RFC 6749, 7009, 8628, 8707, 9126, 9449 and of OpenID Connect; others are counted as `other`. */
const errorLabels: ReadonlySet<string> = new Set([
  'access_denied',
  'authorization_pending',
  'expired_token',
  'invalid_client',
  'invalid_dpop_proof',
  'invalid_grant',
  'invalid_request',
  'invalid_request_object',
  'invalid_scope',
  'invalid_target',
  'server_error',
  'slow_down',
  'temporarily_unavailable',
  'unauthorized_client',
  'unsupported_grant_type',
  'unsupported_token_type',
  'use_dpop_nonce',
]);

type Listeners = Partial<{ readonly [Name in keyof AuthEvents]: (...event: Parameters<AuthEvents[Name]>) => void }>;

type Report = (event: unknown) => void;

/** Also counts events in the metrics of the process. */
export function countEvents(events: AuthEvents, { count }: Pick<Metrics, 'count'>): AuthEvents {
  const counted: Listeners = {
    tokenIssued: ({ grantType }) => count('tokensIssued', { grant: grantLabels.get(grantType) ?? 'other' }),
    clientRefused: () => count('tokenRefusals', { error: 'invalid_client' }),
    tokenRefused: ({ error }) => count('tokenRefusals', { error: errorLabels.has(error) ? error : 'other' }),
    signedIn: () => count('signIns', { kind: 'sign-in', outcome: 'success' }),
    signInRefused: ({ reason }) => count('signIns', { kind: 'sign-in', outcome: reason }),
    identityConfirmed: () => count('signIns', { kind: 'confirmation', outcome: 'success' }),
    confirmationRefused: ({ reason }) => count('signIns', { kind: 'confirmation', outcome: reason }),
    consentGiven: () => count('consents', { decision: 'given' }),
    consentRefused: () => count('consents', { decision: 'refused' }),
    consentChanged: () => count('consents', { decision: 'changed' }),
    applicationDisconnected: () => count('consents', { decision: 'revoked' }),
    registered: () => count('accounts', { event: 'registered' }),
    signedOut: () => count('accounts', { event: 'signed-out' }),
    passwordChanged: () => count('accounts', { event: 'password-changed' }),
    dataExported: () => count('accounts', { event: 'exported' }),
    accountDeleted: () => count('accounts', { event: 'deleted' }),
    accountRestored: () => count('accounts', { event: 'restored' }),
    webhookDelivered: () => count('webhooks', { outcome: 'delivered' }),
    webhookDelayed: () => count('webhooks', { outcome: 'delayed' }),
    webhookGivenUp: () => count('webhooks', { outcome: 'given-up' }),
    webhookSwitchedOff: () => count('webhooks', { outcome: 'switched-off' }),
    logoutDelivered: () => count('logoutNotices', { outcome: 'delivered' }),
    logoutDelayed: () => count('logoutNotices', { outcome: 'delayed' }),
    logoutGivenUp: () => count('logoutNotices', { outcome: 'given-up' }),
    requestFailed: () => count('failures', {}),
  };
  return { ...events, ...addListeners(events, counted) };
}

function addListeners(events: AuthEvents, listeners: Listeners): Partial<AuthEvents> {
  return Object.fromEntries(
    Object.entries(listeners).map(([name, listener]) => {
      // Each listener was declared for the event of its name.
      const [report, add] = [Reflect.get(events, name) as Report, listener as Report];
      return [
        name,
        (event: unknown) => {
          report(event);
          add(event);
        },
      ];
    }),
  );
}

/** Also counts the tokens issued to each application. */
export function countTokens(events: AuthEvents, usage: ApplicationUsage): AuthEvents {
  return {
    ...events,
    tokenIssued: (event) => {
      events.tokenIssued(event);
      if (event.clientId !== undefined) usage.token(event.clientId, event.requestId);
    },
  };
}
