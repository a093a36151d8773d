import { createTestDatabase } from '@linnet/test/db/test-database';
import { insertAccount } from '@linnet/test/db/insert-account';
import { expect, inject, test } from 'vitest';

import { countShortenedLifetimes } from './token-lifetimes-store.ts';
import { longestTokenBounds } from './token-lifetimes.ts';

test('counts the applications that have chosen a longer lifetime of either token', async () => {
  await using database = await createTestDatabase(inject('databaseServer'));
  const { db } = database;
  const ownerId = await insertAccount(db, 'owner_of_lifetimes');
  const lifetimes = [{}, { accessTokenLifetime: 600 }, { accessTokenLifetime: 601 }, { refreshTokenLifetime: 86_401 }];
  const data = lifetimes.map((chosen, index) => ({
    ...{ ownerId, clientId: `app-with-lifetime-${String(index)}`, name: 'App', type: 'public' as const, ...chosen },
  }));
  await db.prisma.application.createMany({ data });
  const bounds = { ...longestTokenBounds, accessToken: 600, refreshToken: 86_400 };
  expect(await countShortenedLifetimes(db, bounds)).toBe(2);
  expect(await countShortenedLifetimes(db, longestTokenBounds)).toBe(0);
});
