// What happens to a document after it was stored.
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { metadata, startDocumentWorld } from '@linnet/test/auth/document-world';
import type { DocumentWorld } from '@linnet/test/auth/document-world';
import { createSigningKey } from '@linnet/test/auth/signing-application';

let world: DocumentWorld;
beforeAll(async () => {
  world = await startDocumentWorld(inject('databaseServer'));
});
afterAll(async () => await world[Symbol.asyncDispose]());

describe('a stored document', () => {
  test('is used until it is no longer fresh, and then asked for with its ETag', async () => {
    const { path, clientId } = world.serveClient({}, { headers: { etag: '"one"', 'cache-control': 'max-age=600' } });
    await world.open(clientId);
    await world.open(clientId);
    expect(world.server.requests(path)).toHaveLength(1);
    world.server.serve(path, { status: 304 });
    await world.age(clientId);
    expect((await world.open(clientId)).text).toContain('Weather agent');
    expect(world.server.requests(path).map((headers) => headers['if-none-match'])).toEqual([undefined, '"one"']);
    await world.open(clientId);
    expect(world.server.requests(path)).toHaveLength(2);
  });

  test('is shared with other processes', async () => {
    const { path, clientId } = world.serveClient();
    await world.open(clientId);
    await using other = await world.startOther();
    expect((await world.ask(clientId, other)).json['error']).toBe('invalid_grant');
    expect(world.server.requests(path)).toHaveLength(1);
  });

  test('a new one replaces name, redirect URIs and scopes; what it no longer allows is revoked', async () => {
    const { path, clientId } = world.serveClient();
    const connected = await world.connectTo(clientId);
    const { ce } = decodeJwt<{ ce: number }>(connected.accessToken);
    const other = 'http://127.0.0.1:9/other';
    world.server.serveClient(path, {
      client_name: 'Storm agent',
      redirect_uris: [other],
      scope: 'users',
      application_type: 'web',
    });
    await world.age(clientId);
    const withOld = await world.open(clientId);
    expect([withOld.isElsewhere, withOld.status]).toEqual([false, 400]);
    expect((await world.open(clientId, { redirect_uri: other })).text).toContain('Storm agent');
    expect(await world.show(clientId)).toMatchObject({ name: 'Storm agent', redirectUris: [other], scopes: ['users'] });
    const { json } = await connected.refresh(connected.refreshToken);
    expect(decodeJwt<{ ce: number }>(json.access_token).ce).toBe(ce + 1);
  });

  test('a public client can become confidential, and public again', async () => {
    const key = await createSigningKey();
    const { path, clientId } = world.serveClient();
    const open = async () => await world.open(clientId);
    await open();
    world.server.serveClient(path, {
      ...metadata,
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [key.publicJwk] },
    });
    await world.age(clientId);
    await open();
    expect(await world.show(clientId)).toMatchObject({ type: 'confidential', hasOwnKeys: true });
    world.server.serveClient(path, metadata);
    await world.age(clientId);
    await open();
    expect(await world.show(clientId)).toMatchObject({ type: 'public', hasOwnKeys: false });
  });

  test('is used for up to 24 hours while its server fails, but not after a 404', async () => {
    const { path, clientId } = world.serveClient();
    const ask = async () => {
      await using other = await world.startOther();
      return (await world.ask(clientId, other)).json['error'];
    };
    expect(await ask()).toBe('invalid_grant');
    world.server.serve(path, { status: 503 });
    await world.age(clientId, 23);
    expect(await ask()).toBe('invalid_grant');
    await world.age(clientId, 24);
    expect(await ask()).toBe('invalid_client');
    await world.age(clientId);
    world.server.serve(path, { status: 404 });
    expect(await ask()).toBe('invalid_client');
    world.server.serveClient(path, metadata);
    expect(await ask()).toBe('invalid_grant');
  });

  test('a page that is open shows no error when the document is gone; the next step refuses the client', async () => {
    const { path, clientId } = world.serveClient();
    const page = await world.open(clientId);
    world.server.serve(path, { status: 404 });
    await world.age(clientId);
    expect((await world.browser.open(page.url.href)).status).toBe(200);
    const next = await world.browser.submit(page, page.formWith('decision', 'allow'), { decision: 'allow', scope: [] });
    expect([next.isElsewhere, next.status]).toEqual([false, 400]);
  });
});
