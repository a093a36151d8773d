import { expect } from 'vitest';

import type { RegisteredApplication } from '../world.ts';
import { readResponse } from './module.ts';
import { randomText } from './relying-party.ts';
import type { Suite } from './suite.ts';

/** Registers a client as the suite does where a module needs dynamic registration. */
export async function registerClient(
  { stage }: Suite,
  changes: Readonly<Record<string, unknown>> = {},
): Promise<RegisteredApplication> {
  const { status, headers, json } = await readResponse(
    await fetch(String(stage.metadata['registration_endpoint']), {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({
        client_name: `Conformance suite ${randomText(6)}`,
        grant_types: ['authorization_code'],
        token_endpoint_auth_method: 'client_secret_basic',
        response_types: ['code'],
        redirect_uris: [stage.world.redirectUri],
        contacts: ['certification@oidf.org'],
        ...changes,
      }),
    }),
  );
  expect(status, JSON.stringify(json)).toBe(201);
  expect(headers.get('content-type')).toContain('application/json');
  return { id: String(json['client_id']), secret: String(json['client_secret']) };
}
