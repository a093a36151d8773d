/** Suspended applications: nobody can let them in, they get no tokens, and those they have end. */
import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';

interface Found {
  readonly found: number;
}

const suspendStatement = statement<readonly [clientId: string], Found>(
  'application_suspend',
  // A higher epoch: tokens from before do not come back with the application.
  `UPDATE application SET suspended_at = COALESCE(suspended_at, now()), epoch = epoch + 1 WHERE client_id = $1
   RETURNING 1 AS found`,
);

const restoreStatement = statement<readonly [clientId: string], Found>(
  'application_restore',
  'UPDATE application SET suspended_at = NULL WHERE client_id = $1 RETURNING 1 AS found',
);

/** False when there is no such application. */
export async function suspendApplication(db: Queryable, clientId: string): Promise<boolean> {
  return (await db.query(suspendStatement, [clientId])).length > 0;
}

/** Undoes it; what it was granted goes on. False when there is no such application. */
export async function restoreApplication(db: Queryable, clientId: string): Promise<boolean> {
  return (await db.query(restoreStatement, [clientId])).length > 0;
}

const pauseStatement = statement<readonly [clientId: string, ownerId: number], Found>(
  'application_pause',
  `UPDATE application SET paused_at = COALESCE(paused_at, now()), epoch = epoch + 1 WHERE client_id = $1 AND owner_id = $2
   RETURNING 1 AS found`,
);

const resumeStatement = statement<readonly [clientId: string, ownerId: number], Found>(
  'application_resume',
  'UPDATE application SET paused_at = NULL WHERE client_id = $1 AND owner_id = $2 RETURNING 1 AS found',
);

/** The same by its owner, beside what operators do; false when the account does not own it. */
export async function pauseApplication(db: Queryable, ownerId: number, clientId: string): Promise<boolean> {
  return (await db.query(pauseStatement, [clientId, ownerId])).length > 0;
}

/** Undoes it; a suspension by an operator stays. False when the account does not own it. */
export async function resumeApplication(db: Queryable, ownerId: number, clientId: string): Promise<boolean> {
  return (await db.query(resumeStatement, [clientId, ownerId])).length > 0;
}
