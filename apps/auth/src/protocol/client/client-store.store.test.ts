import { openDatabase } from '@linnet/db/database';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { expect, inject, test } from 'vitest';

import { longestTokenBounds } from '@linnet/applications/settings/token-lifetimes';
import { createFindRegistration } from './client-store.ts';

test('D21 an application is not found while the account of its owner is deleted or suspended', async () => {
  await using database = await createTestDatabase(inject('databaseServer'));
  await using db = openDatabase({ url: database.url, poolSize: 1, prepare: true });
  const findRegistration = createFindRegistration(db, {
    additionalRedirectUri: { uri: 'http://localhost/', condition: 'false' },
    requiresConfirmedOwner: false,
    tokenBounds: longestTokenBounds,
  });
  const { id } = await db.prisma.account.create({
    data: {
      username: 'owner_1',
      usernameCi: 'owner_1',
      email: 'owner@example.org',
      emailCi: 'owner@example.org',
      passwordHash: '-',
      firstName: 'Ada',
      lastName: 'Lovelace',
      displayName: 'Ada Lovelace',
    },
  });
  const clientId = 'abcdefghijklmnop';
  await db.prisma.application.create({
    data: { clientId, ownerId: id, name: 'App', type: 'confidential', scopes: ['users'] },
  });
  expect(await findRegistration(clientId)).toMatchObject({ clientId, owner: 'owner_1' });
  for (const column of ['deletedAt', 'suspendedAt']) {
    await db.prisma.account.update({ where: { id }, data: { [column]: new Date() } });
    expect(await findRegistration(clientId)).toBeUndefined();
    await db.prisma.account.update({ where: { id }, data: { [column]: null } });
    expect(await findRegistration(clientId)).toMatchObject({ clientId });
  }
});
