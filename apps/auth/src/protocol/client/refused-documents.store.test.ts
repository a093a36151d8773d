// Documents that must not be fetched or used.
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { callback, startDocumentWorld } from '@linnet/test/auth/document-world';
import type { DocumentWorld } from '@linnet/test/auth/document-world';

let world: DocumentWorld;
beforeAll(async () => {
  world = await startDocumentWorld(inject('databaseServer'));
});
afterAll(async () => await world[Symbol.asyncDispose]());

describe('a document that is not accepted', () => {
  test.each<[string, object]>([
    ['another client_id', { client_id: 'https://agent.example/client.json' }],
    ['no client_id', { client_id: undefined }],
    ['no redirect URI', { redirect_uris: [] }],
    ['no list of redirect URIs', { redirect_uris: callback }],
    ['an unsafe redirect URI', { redirect_uris: ['http://agent.example/'] }],
    ['redirect URIs of another origin only', { redirect_uris: ['https://agent.example/'] }],
    ['a client secret', { client_secret: 'secret' }],
    ['the expiry of a secret', { client_secret_expires_at: 0 }],
    ['client_secret_basic', { token_endpoint_auth_method: 'client_secret_basic' }],
    ['client_secret_post', { token_endpoint_auth_method: 'client_secret_post' }],
    ['client_secret_jwt', { token_endpoint_auth_method: 'client_secret_jwt' }],
    ['tls_client_auth', { token_endpoint_auth_method: 'tls_client_auth' }],
    ['private_key_jwt without keys', { token_endpoint_auth_method: 'private_key_jwt' }],
    ['a private key', { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [{ kty: 'EC', d: 'x' }] } }],
    ['only response types of others', { response_types: ['token'], grant_types: ['implicit'] }],
    ['an unknown algorithm', { id_token_signed_response_alg: '<script>alert(1)</script>' }],
    ['a link that is none', { client_uri: 'javascript:alert(1)' }],
  ])('%s: the client is refused, and the response quotes nothing of the document', async (_what, changes) => {
    const description = await world.refusalOf(world.serveClient(changes).clientId);
    expect(description).toMatch(/^the document at client_id is not valid: [ -~]+$/);
    expect(description).not.toMatch(/["\\<>]|agent\.example|alert/);
  });
});
