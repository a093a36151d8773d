import { createAccounts } from '@linnet/accounts/accounts';
import { openDatabase } from '@linnet/db/database';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { expect, inject, test } from 'vitest';

import { registerPerson } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';

test('the server computes the keys of names that were verified before, as it starts', async () => {
  await using database = await createTestDatabase(inject('databaseServer'));
  await using db = openDatabase({ url: database.url, poolSize: 2, prepare: true });
  const { id } = await registerPerson(db, 'early_bird');
  const accounts = createAccounts(db);
  await accounts.updateProfile({ accountId: id, displayName: 'Żaneta Früher' });
  await accounts.setVerified('early_bird', true);
  await db.prisma.account.update({ where: { id }, data: { displayNameKey: null } });
  await using _auth = await startAuth(database.url);
  const row = await db.prisma.account.findUnique({ where: { id }, select: { displayNameKey: true } });
  expect(row?.displayNameKey).toBe('zanetafruher');
});
