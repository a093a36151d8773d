import { expect, test } from 'vitest';

import { createMutex, memoryStore } from './token-store.ts';
import type { Tokens } from './token-store.ts';
import { personTokens } from './tokens.ts';

const tokensOf = (refreshToken: string, expiresAt = Date.now() + 3_600_000): Tokens => ({
  accessToken: `access of ${refreshToken}`,
  expiresAt,
  scope: 'users',
  refreshToken,
});

test('tokens that are replaced during a refresh stay replaced', async () => {
  const store = memoryStore(tokensOf('first', 0));
  const { promise: answer, resolve } = Promise.withResolvers<Tokens>();
  const begun = Promise.withResolvers<undefined>();
  const source = personTokens(store, async () => {
    begun.resolve(undefined);
    return await answer;
  });
  const call = source.get();
  await begun.promise;
  const signOut = source.replace(undefined);
  resolve(tokensOf('second'));
  expect(await call).toBe('access of second');
  // The refresh token that must be revoked is the new one.
  expect((await signOut)?.refreshToken).toBe('second');
  expect(await store.load()).toBeUndefined();
});

test('a mutex runs one piece of work at a time, in order, and also after a failure', async () => {
  const exclusively = createMutex();
  const log: string[] = [];
  const work = (name: string) => async () => {
    log.push(`${name} begins`);
    await Promise.resolve();
    log.push(`${name} ends`);
    if (name === 'first') throw new Error(name);
    return name;
  };
  const results = await Promise.allSettled([exclusively(work('first')), exclusively(work('second'))]);
  expect(results).toMatchObject([{ status: 'rejected' }, { status: 'fulfilled', value: 'second' }]);
  expect(log).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
});
