import { jwtVerify } from 'jose';
import { expect, test } from 'vitest';

import { createSigner } from '@linnet/test/api/signer';
import { createVerificationKeys } from './verification-keys.ts';

const baseUrl = 'https://linnet.example';

test('RS14: many unknown key ids load the keys at most once in 30 s', async () => {
  const signer = await createSigner(baseUrl);
  let loads = 0;
  let now = 0;
  const keys = createVerificationKeys(
    async () => {
      loads += 1;
      return [signer.publicJwk];
    },
    { onLoadError: () => undefined, now: () => now },
  );
  const storm = async () => {
    const tokens = await Promise.all(
      Array.from({ length: 100 }, (_, kid) => signer.sign({}, { kid: `unknown-${String(kid)}` })),
    );
    await Promise.allSettled(tokens.map((token) => jwtVerify(token, keys.find)));
  };
  await storm();
  expect(loads).toBe(1);
  now = 31_000;
  await storm();
  expect(loads).toBe(2);
});

test('RS14: loaded keys keep working while they cannot be reloaded', async () => {
  const signer = await createSigner(baseUrl);
  const token = await signer.sign();
  const failures: unknown[] = [];
  let now = 0;
  let isAway = false;
  const keys = createVerificationKeys(
    async () => {
      if (isAway) throw new Error('away');
      return [signer.publicJwk];
    },
    { onLoadError: (error) => failures.push(error), now: () => now },
  );
  await jwtVerify(token, keys.find);
  isAway = true;
  now = 3_600_000;
  await expect(jwtVerify(token, keys.find)).resolves.toBeDefined();
  await expect.poll(() => failures.length).toBe(1);
});

test('finds a key that is published later; a withdrawn key is no longer published', async () => {
  const first = await createSigner(baseUrl, 'first');
  const second = await createSigner(baseUrl, 'second');
  let published = [first.publicJwk];
  let now = 0;
  const keys = createVerificationKeys(async () => published, { onLoadError: () => undefined, now: () => now });
  await jwtVerify(await first.sign(), keys.find);
  published = [second.publicJwk];
  now = 31_000;
  await expect(jwtVerify(await second.sign(), keys.find)).resolves.toBeDefined();
  expect([keys.isPublished('first'), keys.isPublished('second')]).toEqual([false, true]);
});

test('R9 an announced key is loaded at once, with retries, and its tokens wait for it', async () => {
  const first = await createSigner(baseUrl, 'first');
  const second = await createSigner(baseUrl, 'second');
  let loads = 0;
  const load = async () => {
    loads += 1;
    return loads < 4 ? [first.publicJwk] : [first.publicJwk, second.publicJwk];
  };
  const keys = createVerificationKeys(load, { onLoadError: () => undefined });
  keys.announce('second');
  await jwtVerify(await first.sign(), keys.find);
  expect(loads).toBe(1);
  keys.announce('first');
  keys.announce('second');
  keys.announce('second');
  await expect(jwtVerify(await second.sign(), keys.find)).resolves.toBeDefined();
  expect(loads).toBe(4);
});
