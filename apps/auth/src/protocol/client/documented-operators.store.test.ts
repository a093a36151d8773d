// What operators can do about clients with a metadata document.
import { createApplications } from '@linnet/applications/applications';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { startDocumentWorld } from '@linnet/test/auth/document-world';
import type { DocumentWorld } from '@linnet/test/auth/document-world';

let world: DocumentWorld;
beforeAll(async () => {
  world = await startDocumentWorld(inject('databaseServer'));
});
afterAll(async () => await world[Symbol.asyncDispose]());

describe('operators', () => {
  test('suspend a client: fetching its document again does not end that', async () => {
    const { path, clientId } = world.serveClient();
    const connected = await world.connectTo(clientId);
    const applications = createApplications(world.auth.db);
    expect(await applications.suspend(clientId)).toBe(true);
    await expect.poll(async () => (await connected.refresh(connected.refreshToken)).status).toBe(401);
    await world.age(clientId, 30);
    expect((await world.open(clientId)).status).toBe(400);
    expect(world.server.requests(path)).toHaveLength(1);
    await world.auth.runJob('self-registered');
    expect(await applications.restore(clientId)).toBe(true);
    expect((await world.open(clientId)).text).toContain('Weather agent');
  });

  test('block a URL before it was ever used', async () => {
    const { path, clientId } = world.serveClient();
    const applications = createApplications(world.auth.db);
    expect(await applications.suspend(clientId)).toBe(true);
    expect((await world.open(clientId)).status).toBe(400);
    expect(world.server.requests(path)).toEqual([]);
    expect(await applications.restore(clientId)).toBe(true);
    expect((await world.open(clientId)).text).toContain('Weather agent');
    expect(await applications.suspend('https://agent.example/%2e%2e/x')).toBe(false);
  });

  test('cannot change or verify it', async () => {
    const { clientId } = world.serveClient();
    await world.open(clientId);
    const applications = createApplications(world.auth.db);
    await expect(applications.update(clientId, { name: 'Other' })).rejects.toThrow('metadata document');
    await expect(applications.verify(clientId)).rejects.toThrow('no owner');
  });

  test('a client that was deleted comes back; its old tokens stay revoked, and its new ones work', async () => {
    const { clientId } = world.serveClient();
    const before = await world.connectTo(clientId);
    await createApplications(world.auth.db).delete(clientId);
    await expect.poll(async () => (await before.refresh(before.refreshToken)).json['error']).toBe('invalid_grant');
    const after = await world.connectTo(clientId);
    const showProfile = async (token: string) =>
      (await world.auth.send({ path: '/oauth/userinfo', headers: { authorization: `Bearer ${token}` } })).status;
    const openid = await world.open(clientId);
    expect(openid.status).toBe(200);
    await expect.poll(async () => await showProfile(before.accessToken)).toBe(401);
    expect(await showProfile(after.accessToken)).not.toBe(401);
    expect(decodeJwt<{ ce: number }>(after.accessToken).ce).toBeGreaterThan(
      decodeJwt<{ ce: number }>(before.accessToken).ce,
    );
  });

  test('CLIENT_ID_METADATA_DOCUMENTS=off: no URL is a client, not even a known one', async () => {
    const { clientId } = world.serveClient();
    const connected = await world.connectTo(clientId);
    await using off = await world.startOther({ clientIdMetadataDocuments: [] });
    const form = { grant_type: 'refresh_token', refresh_token: connected.refreshToken, client_id: clientId };
    expect((await off.requestToken(form)).json['error']).toBe('invalid_client');
    for (const document of ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration']) {
      expect((await off.send({ path: document })).json).not.toHaveProperty('client_id_metadata_document_supported');
      const { json } = await world.auth.send({ path: document });
      expect(json['client_id_metadata_document_supported']).toBe(true);
    }
  });

  test('CLIENT_ID_METADATA_DOCUMENTS with hosts: a client of another host is none', async () => {
    const { clientId } = world.serveClient();
    const connected = await world.connectTo(clientId);
    const form = { grant_type: 'refresh_token', refresh_token: 'unknown', client_id: clientId };
    const { hostname } = new URL(clientId);
    for (const [rules, error] of [
      [['agent.example'], 'invalid_client'],
      [[`!${hostname}`], 'invalid_client'],
      [['*', `!${hostname}`], 'invalid_client'],
      [['agent.example', hostname], 'invalid_grant'],
      [['!agent.example'], 'invalid_grant'],
    ] as const) {
      await using other = await world.startOther({ clientIdMetadataDocuments: rules });
      expect([rules, (await other.requestToken(form)).json['error']]).toEqual([rules, error]);
    }
    expect((await connected.refresh(connected.refreshToken)).status).toBe(200);
  });

  test('fetches of unknown documents are limited by address; known ones are not', async () => {
    // With this many processes, one of them allows one fetch.
    await using limited = await world.startOther({ rateLimits: true, workers: 60, trustProxy: 1 });
    const ask = async (clientId: string, address: string) => {
      const form = { grant_type: 'refresh_token', refresh_token: 'x', client_id: clientId };
      return await limited.requestToken(form, { 'x-forwarded-for': address });
    };
    const [first, second] = [world.serveClient(), world.serveClient()];
    expect((await ask(first.clientId, '192.0.2.1')).json['error']).toBe('invalid_grant');
    const refused = await ask(second.clientId, '192.0.2.1');
    expect([refused.status, refused.json['error']]).toEqual([429, 'temporarily_unavailable']);
    expect(refused.headers).toHaveProperty('retry-after');
    expect(world.server.requests(second.path)).toEqual([]);
    expect((await ask(second.clientId, '192.0.2.2')).json['error']).toBe('invalid_grant');
    await world.age(first.clientId);
    expect((await ask(first.clientId, '192.0.2.1')).json['error']).toBe('invalid_grant');
    expect(world.server.requests(first.path)).toHaveLength(2);
  });
});
