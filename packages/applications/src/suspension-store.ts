/** Suspended and paused applications cannot be authorized and get no tokens; their existing tokens are revoked. */
import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement/statement';

interface Found {
  readonly found: number;
}

const suspendStatement = statement<readonly [clientId: string], Found>(
  'application_suspend',
  // Raising the epoch keeps earlier tokens revoked after the application is restored.
  `UPDATE application SET suspended_at = COALESCE(suspended_at, now()), epoch = epoch + 1 WHERE client_id = $1
   RETURNING 1 AS found`,
);

const restoreStatement = statement<readonly [clientId: string], Found>(
  'application_restore',
  'UPDATE application SET suspended_at = NULL WHERE client_id = $1 RETURNING 1 AS found',
);

/** False if there is no such application. */
export async function suspendApplication(db: Queryable, clientId: string): Promise<boolean> {
  return (await db.query(suspendStatement, [clientId])).length > 0;
}

/** Lifts the suspension; grants are kept. False if there is no such application. */
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

/** A suspension by the owner, independent of the operator's. False if the account does not own the application. */
export async function pauseApplication(db: Queryable, ownerId: number, clientId: string): Promise<boolean> {
  return (await db.query(pauseStatement, [clientId, ownerId])).length > 0;
}

/** Ends the pause, but not a suspension by an operator. False if the account does not own the application. */
export async function resumeApplication(db: Queryable, ownerId: number, clientId: string): Promise<boolean> {
  return (await db.query(resumeStatement, [clientId, ownerId])).length > 0;
}
