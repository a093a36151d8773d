/** Events of earlier minutes with their seals, and what an attacker with all rights could do to them. */
import { setTimeout as delay } from 'node:timers/promises';

import type { Db } from '@linnet/db/database';
import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

import { createSealer } from '@linnet/audit/seal-store';

export async function run<Row = never>(db: Queryable, sql: string): Promise<Row[]> {
  return await db.query(statement<readonly [], Row>('', sql), []);
}

const pollMs = 20;
const unsealed = `SELECT 1 FROM audit_event WHERE detail ? 'n' AND id > (SELECT COALESCE(max(to_id), 0) FROM audit_seal) LIMIT 1`;

/** Adds events with ids and times of `minutes` ago, and waits until they are sealed. */
export async function addSealedEvents(db: Db, count: number, minutes: number): Promise<void> {
  await run(
    db,
    `INSERT INTO audit_event (id, at, event, actor, account_id, detail)
     SELECT next_id() - (${String(minutes)}::bigint * 60000 << 12), now() - interval '${String(minutes)} minutes',
       'account.renamed', 'person', n, jsonb_build_object('n', n, 'text', E'line\\u2028 "ü" \\n')
       FROM generate_series(1, ${String(count)}) AS n`,
  );
  const seal = createSealer(db);
  const going = new AbortController().signal;
  while ((await run(db, unsealed)).length > 0) {
    await seal(going);
    await delay(pollMs);
  }
}

/** Counts the events of `addSealedEvents`. */
export async function countEvents(db: Queryable): Promise<number> {
  const [row] = await run<{ count: number }>(db, `SELECT count(*) FROM audit_event WHERE detail ? 'n'`);
  return row?.count ?? 0;
}

/** Thrown to roll a transaction back. */
export class Undone extends Error {}

/** Runs `sql` and `work` in a transaction whose triggers are off, as the owner of the database could, and undoes it. */
export async function tamper<Result>(
  db: Db,
  sql: string,
  work: (tx: Queryable) => Promise<Result>,
): Promise<Result | undefined> {
  let result: Result | undefined;
  try {
    await db.transaction(async (tx) => {
      for (const table of ['audit_event', 'audit_seal', 'audit_checkpoint']) {
        await run(tx, `ALTER TABLE ${table} DISABLE TRIGGER USER`);
      }
      await run(tx, sql);
      result = await work(tx);
      throw new Undone('enough');
    });
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
  }
  return result;
}
