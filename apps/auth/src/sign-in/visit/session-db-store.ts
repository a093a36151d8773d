/** Writes that must not outlive the session of the visit that makes them. */
import type { Db } from '@linnet/db/database';
import { statement } from '@linnet/db/statement/statement';

type SourceDb = Pick<Db, 'prisma' | 'query' | 'transaction'>;

/**
 * A database whose transactions and single statements run only while a session is active. What gives lasting access to an account
 * is stored with it: factors, applications, secrets, grants, changes of the e-mail address.
 */
export interface SessionDb extends SourceDb {
  readonly sessionUid: string;
}

/** The session ended after the request had passed the check of its cookie. Nothing was stored. */
export class SessionEnded extends Error {
  override readonly name = 'SessionEnded';
}

const lockStatement = statement<readonly [uid: string], { readonly active: number }>(
  'session_lock',
  // The lock waits for a remedy (a new password, signing out everywhere) that has not committed, and PostgreSQL then compares the
  // epoch that the remedy wrote. A remedy that starts later waits for this transaction and ends what it stored.
  `SELECT 1 AS active FROM account a
    WHERE a.id = (SELECT account_id FROM session WHERE uid = $1)
      AND a.epoch = (SELECT login_epoch FROM session WHERE uid = $1 AND revoked_at IS NULL)
      AND a.hidden_at IS NULL
      FOR NO KEY UPDATE`,
);

/** Its methods throw SessionEnded. Do not use it inside another transaction. */
export function atSession(db: SourceDb, sessionUid: string): SessionDb {
  const transaction: SourceDb['transaction'] = async (work) =>
    await db.transaction(async (tx) => {
      if ((await tx.query(lockStatement, [sessionUid])).length === 0) throw new SessionEnded('the session has ended');
      return await work(tx);
    });
  return {
    sessionUid,
    get prisma() {
      return db.prisma;
    },
    transaction,
    query: async (one, values) => await transaction(async (tx) => await tx.query(one, values)),
  };
}
