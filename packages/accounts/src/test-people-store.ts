/** Test people: accounts that a developer makes, and that only applications of this developer see. */
import { randomBytes, randomInt } from 'node:crypto';

import { retention } from '@linnet/db/keep/retention';
import { requireRow, statement } from '@linnet/db/statement/statement';
import type { Queryable, Transactional } from '@linnet/db/statement/transaction';

import { insertAccount } from './account-store.ts';

/** Of each developer. */
export const maxTestPeople = 10;

export interface TestPerson {
  readonly id: number;
  readonly username: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly createdAt: Date;
}

const firstNames = ['Alba', 'Bela', 'Cleo', 'Dara', 'Enzo', 'Fina', 'Gino', 'Hana', 'Ivo', 'Juna'];
const lastName = 'Test';
/** No password has this hash, as with erased accounts. */
const noPassword = '-';

const lockStatement = statement<readonly [ownerId: number], { readonly id: number }>(
  'test_people_lock',
  'SELECT id FROM account WHERE id = $1 AND hidden_at IS NULL FOR NO KEY UPDATE',
);

const listStatement = statement<readonly [ownerId: number], TestPerson>(
  'test_people',
  `SELECT id, username, first_name AS "firstName", last_name AS "lastName", created_at AS "createdAt" FROM account
   WHERE test_owner_id = $1 AND deleted_at IS NULL AND suspended_at IS NULL ORDER BY id`,
);

/** Those of a developer, oldest first. */
export async function listTestPeople(db: Queryable, ownerId: number): Promise<readonly TestPerson[]> {
  return await db.query(listStatement, [ownerId]);
}

/** So many in a day, deleted ones included: each leaves a row. */
const maxCreated = 50;

const countStatement = statement<readonly [ownerId: number], { readonly created: number }>(
  'test_people_count',
  `INSERT INTO rate_limit AS c (key, points, expire) VALUES ('test-people:' || $1::bigint, 1, now() + interval '1 day')
   ON CONFLICT (key) DO UPDATE SET points = CASE WHEN c.expire > now() THEN c.points + 1 ELSE 1 END,
     expire = CASE WHEN c.expire > now() THEN c.expire ELSE EXCLUDED.expire END
   RETURNING points AS created`,
);

/** Creates a test person with a name of its own. `limit`: the developer has as many as allowed; `later`: try again then. */
export async function createTestPerson(db: Transactional, ownerId: number): Promise<'created' | 'limit' | 'later'> {
  return await db.transaction(async (tx) => {
    // Test people make none.
    const [owner] = await tx.query(lockStatement, [ownerId]);
    const others = await listTestPeople(tx, ownerId);
    if (owner === undefined || others.length >= maxTestPeople) return 'limit';
    const { created } = requireRow(await tx.query(countStatement, [ownerId]), countStatement);
    if (created > maxCreated) return 'later';
    const firstName = firstNames.find((name) => others.every((one) => one.firstName !== name)) ?? lastName;
    const account = await insertAccount(tx, {
      username: `test_${firstName.toLowerCase()}_${String(randomInt(1_000_000)).padStart(6, '0')}`,
      email: `${randomBytes(8).toString('hex')}@test.invalid`,
      passwordHash: noPassword,
      ...{ firstName, lastName, displayName: `${firstName} ${lastName}`, testOwnerId: ownerId },
    });
    return account === undefined ? 'later' : 'created';
  });
}

const deleteStatement = statement<readonly [ownerId: number, id: number], { readonly id: number }>(
  'test_person_delete',
  `UPDATE account SET deleted_at = now() - interval '${retention.account.deleted}', epoch = epoch + 1
   WHERE test_owner_id = $1 AND id = $2 AND deleted_at IS NULL RETURNING id`,
);

/** Deletes a test person for good: nobody can restore it, and a job erases it soon. False if the developer has no such person. */
export async function deleteTestPerson(db: Queryable, ownerId: number, id: number): Promise<boolean> {
  return (await db.query(deleteStatement, [ownerId, id])).length > 0;
}
