import { createSelfRegistrations } from '@linnet/applications/self-registration/self-registration';
import { openDatabase } from '@linnet/db/database';
import { createTestDatabase } from '@linnet/test/db/test-database';
import Koa from 'koa';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, inject, test } from 'vitest';

import { sendTo } from '@linnet/test/auth/running-auth';
import { registrationEndpoint } from './registration-endpoint.ts';

const agent = { redirect_uris: ['https://agent.example/callback'], token_endpoint_auth_method: 'none' };

test('beyond the largest number of registrations the response is 503 with Retry-After, also for concurrent requests', async () => {
  await using database = await createTestDatabase(inject('databaseServer'));
  await using db = openDatabase({ url: database.url, poolSize: 8, prepare: true });
  const endpoint = registrationEndpoint({
    baseUrl: 'http://localhost',
    isOn: true,
    registrations: createSelfRegistrations(db, { serviceName: 'linnet' }, 2),
    limits: { addsClient: () => Promise.resolve() },
    clientChanged: () => Promise.resolve(),
  });
  const handle = new Koa().use(endpoint).callback();
  const server = createServer((request, response) => void handle(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const register = async () =>
    await sendTo(port, {
      method: 'POST',
      path: '/oauth/register',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(agent),
    });
  try {
    const answers = await Promise.all(Array.from({ length: 8 }, register));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(6);
    for (const { status, json, headers } of refused) {
      expect([status, json['error'], headers['retry-after']]).toEqual([503, 'temporarily_unavailable', '3600']);
    }
  } finally {
    server.close();
  }
});
