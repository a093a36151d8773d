/** How the commands for registered APIs print one. */
import type { RegisteredApi } from '@linnet/applications/apis/api-store';

import { CommandError } from '../failure.ts';

export function toDocument(api: RegisteredApi) {
  return {
    identifier: api.identifier,
    name: api.name,
    owner: api.owner,
    // Null: only the application that a token was issued to can introspect it.
    client_id: api.clientId ?? null,
    scope: api.scopes.map(({ scope }) => scope).join(' '),
    scope_descriptions: api.scopes.map(({ scope, description }) => `${scope} ${description}`),
    created: api.createdAt.toISOString(),
  };
}

export function notFound(identifier: string): CommandError {
  return new CommandError(
    'api-not-found',
    `There is no API ${JSON.stringify(identifier)}. "linnet api list" shows all APIs.`,
  );
}

export function alreadyRegistered(identifier: string): CommandError {
  return new CommandError('invalid-identifier', `The identifier ${JSON.stringify(identifier)} is registered already.`);
}
