import { createPublicKey } from 'node:crypto';

import { compactVerify } from 'jose';
import { beforeAll, expect, test } from 'vitest';

import { createEs256Signer } from './es256.ts';
import { generateSigningKey, toPublicJwk } from './signing-key.ts';
import type { PrivateEs256Jwk } from './signing-key.ts';

let key: PrivateEs256Jwk;
beforeAll(async () => {
  key = (await generateSigningKey('ES256')) as PrivateEs256Jwk;
});

const header = Buffer.from('{"alg":"ES256"}').toString('base64url');
/** Integers with leading zeros are rare: about one signature in 128 has one. */
const rounds = 2000;

test('jose accepts every signature', async () => {
  const sign = createEs256Signer(key);
  const publicKey = createPublicKey({ key: toPublicJwk(key), format: 'jwk' });
  for (let round = 0; round < rounds; round += 1) {
    const text = `${header}.${Buffer.from(`payload ${String(round)}`).toString('base64url')}`;
    const { payload } = await compactVerify(`${text}.${sign(Buffer.from(text)).toString('base64url')}`, publicKey);
    expect(Buffer.from(payload).toString()).toBe(`payload ${String(round)}`);
  }
});
