import type { ApplicationUsage } from '@linnet/applications/usage/application-usage-store';

import type { AuthEvents } from './events.ts';

/** Also counts the tokens issued to each application. */
export function countTokens(events: AuthEvents, usage: ApplicationUsage): AuthEvents {
  return {
    ...events,
    tokenIssued: (event) => {
      events.tokenIssued(event);
      if (event.clientId !== undefined) usage.token(event.clientId);
    },
  };
}
