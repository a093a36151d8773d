import { createECDH } from 'node:crypto';

import { Secret } from '@linnet/service/config/secret';
import { importJWK, jwtVerify } from 'jose';
import { expect, test } from 'vitest';

import { createPushSettings, encryptPush, isPushKey } from './push-message.ts';

const bytes = (text: string) => Buffer.from(text, 'base64url');

test('encrypts the example of RFC 8291, appendix A, to the same bytes', () => {
  const sender = createECDH('prime256v1');
  sender.setPrivateKey(bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'));
  const p256dh = bytes('BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4');
  const target = { p256dh, auth: bytes('BTBZMqHH6r4Tts7J_aSIgg') };
  const content = Buffer.from('When I grow up, I want to be a watermelon');
  const message = encryptPush(content, target, { salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'), sender });
  expect(message.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
});

test('a key off the curve, or of another length, is none', () => {
  const point = createECDH('prime256v1').generateKeys();
  const off = Buffer.from(point);
  off[64] = (off[64] ?? 0) ^ 1;
  expect([point, off, point.subarray(1), Buffer.alloc(65)].map(isPushKey)).toEqual([true, false, false, false]);
});

test('signs for the origin of the endpoint, with the key that browsers know', async () => {
  const secretKeys = ['a'.repeat(32), 'b'.repeat(32)].map((text) => new Secret(text));
  const { keys } = createPushSettings({ secretKeys, baseUrl: 'https://linnet.example', mediaFetchAllow: [] });
  expect(new Set(keys.map(({ publicKey }) => publicKey)).size).toBe(2);
  const [, token = '', key = ''] =
    /^vapid t=(.+), k=(.+)$/.exec(await keys[0].authorize('https://push.example/a')) ?? [];
  expect(key).toBe(keys[0].publicKey);
  const point = bytes(key);
  const jwk = { kty: 'EC', crv: 'P-256', x: point.toString('base64url', 1, 33), y: point.toString('base64url', 33) };
  const { payload } = await jwtVerify(token, await importJWK(jwk, 'ES256'), { audience: 'https://push.example' });
  expect(payload.sub).toBe('https://linnet.example');
  expect((payload.exp ?? 0) - Date.now() / 1000).toBeLessThan(24 * 3600);
});
