import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';

import { createSelfRegistrations } from './self-registration.ts';
import type { SelfRegistrations } from './self-registration.ts';

const document = { client_name: 'Agent', redirect_uris: ['https://agent.example/callback'] };

let database: TestDatabase;
let registrations: SelfRegistrations;
beforeEach(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  registrations = createSelfRegistrations(database.db, { serviceName: 'linnet' });
});
afterEach(() => database[Symbol.asyncDispose]());

describe('strict', () => {
  const keyed = {
    ...document,
    token_endpoint_auth_method: 'private_key_jwt',
    jwks_uri: 'https://agent.example/jwks.json',
    strict: true,
  };
  const strict = {
    strict: true,
    require_pkce: true,
    require_pushed_authorization_requests: true,
    dpop_bound_access_tokens: true,
    id_token_signed_response_alg: 'ES256',
  };

  test('switches on what it means for a client with keys, at the registration and in an update', async () => {
    const { metadata, token } = await registrations.register(keyed);
    expect(metadata).toMatchObject(strict);
    const clientId = String(metadata['client_id']);
    const updated = await registrations.update({ clientId, token }, { ...keyed, client_id: clientId });
    expect(updated).toMatchObject(strict);
    const relaxed = await registrations.update({ clientId, token }, { ...keyed, strict: false, client_id: clientId });
    expect(relaxed).toMatchObject({ strict: false, dpop_bound_access_tokens: false });
  });

  test.each(['none', 'client_secret_basic'])('is refused for %s, which has no keys', async (method) => {
    const refused = registrations.register({ ...document, token_endpoint_auth_method: method, strict: true });
    await expect(refused).rejects.toThrow(/strict/);
    expect(await database.db.prisma.application.count()).toBe(0);
  });
});
