// What the content of a document decides.
import { statement } from '@linnet/db/statement/statement';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { metadata, startDocumentWorld } from '@linnet/test/auth/document-world';
import type { DocumentWorld } from '@linnet/test/auth/document-world';
import { registerPerson } from '@linnet/test/auth/person';
import { createSigningKey } from '@linnet/test/auth/signing-application';

let world: DocumentWorld;
beforeAll(async () => {
  world = await startDocumentWorld(inject('databaseServer'));
});
afterAll(async () => await world[Symbol.asyncDispose]());

describe('what a document decides', () => {
  test('authenticates with a key of its document, until the document no longer has it', async () => {
    const key = await createSigningKey();
    const signing = { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [key.publicJwk] } };
    const { path, clientId } = world.serveClient(signing);
    const request = async () =>
      await world.auth.requestToken({
        grant_type: 'refresh_token',
        refresh_token: 'x',
        ...(await key.assertion(world.auth, clientId)),
      });
    expect((await request()).json['error']).toBe('invalid_grant');
    expect(
      (await world.auth.requestToken({ grant_type: 'refresh_token', refresh_token: 'x', client_id: clientId })).json[
        'error'
      ],
    ).toBe('invalid_client');
    const other = await createSigningKey();
    world.server.serveClient(path, { ...metadata, ...signing, jwks: { keys: [other.publicJwk] } });
    expect((await request()).json['error']).toBe('invalid_grant');
    await world.age(clientId);
    await expect.poll(async () => (await request()).json['error']).toBe('invalid_client');
  });

  test('cannot use client credentials or the device flow', async () => {
    const key = await createSigningKey();
    const { clientId } = world.serveClient({
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [key.publicJwk] },
      grant_types: ['authorization_code', 'client_credentials', 'urn:ietf:params:oauth:grant-type:device_code'],
    });
    const assertion = async () => await key.assertion(world.auth, clientId);
    const token = await world.auth.requestToken({ grant_type: 'client_credentials', ...(await assertion()) });
    expect(token.json['error']).toBe('unauthorized_client');
    const device = await world.auth.send({
      method: 'POST',
      path: '/oauth/device_authorization',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(await assertion()).toString(),
    });
    expect(device.json['error']).toBe('unauthorized_client');
  });

  test('a name that is reserved, verified, or not acceptable gives way to the host', async () => {
    const { id } = await registerPerson(world.auth.db, 'famous_person');
    const verify = statement<readonly [id: number], never>(
      'test_verify',
      'UPDATE account SET verified = true WHERE id = $1',
    );
    await world.auth.db.query(verify, [id]);
    for (const name of [
      'Linnet Support',
      'famous_person',
      'Verified ✔',
      'x'.repeat(61),
      'a\u202Eb',
      ' ',
      7,
      undefined,
    ]) {
      const { clientId } = world.serveClient({ client_name: name });
      const page = await world.open(clientId);
      expect([name, page.title]).toEqual([name, `Authorize ${new URL(clientId).host}? · Linnet`]);
    }
  });
});
