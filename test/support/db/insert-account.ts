import type { Db } from '@linnet/db/database';

/** Inserts an account without a password and returns its id. */
export async function insertAccount(db: Pick<Db, 'prisma'>, username: string): Promise<number> {
  const usernameCi = username.toLowerCase();
  const email = `${usernameCi}@example.org`;
  const account = await db.prisma.account.create({
    data: {
      username,
      usernameCi,
      email,
      emailCi: email,
      passwordHash: '-',
      firstName: 'A',
      lastName: 'B',
      displayName: 'A B',
    },
  });
  return Number(account.id);
}
