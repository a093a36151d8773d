/** Ends what was issued to applications before a moment, many rows at a time. */

import { endAccountsIssuedBefore } from '@linnet/accounts/issued-before-store';
import type { Moment } from '@linnet/accounts/issued-before-store';
import type { Db } from '@linnet/db/database';
import type { Queryable } from '@linnet/db/statement/transaction';
import { requireRow, statement } from '@linnet/db/statement/statement';

/** What ends. Without an account and an application: everything that was issued before the moment. */
export interface EndScope {
  readonly accountId: number | undefined;
  readonly clientId: string | undefined;
  readonly before: Moment;
}

/** For epochs after a restore, see `endAccountsIssuedBefore`. */
const raised = (epoch: string) => `GREATEST(${epoch}, (EXTRACT(EPOCH FROM clock_timestamp()) / 60)::integer) + 1`;

/** A step through many rows. */
interface EndedRows {
  /** Where the next step continues; null: this was the last step. */
  readonly last: string | null;
  readonly ended: number;
}

const clientStatement = statement<readonly [after: string, clientId: string | null, before: string | null], EndedRows>(
  'application_issued_before',
  `WITH found AS (
     SELECT client_id FROM application
      WHERE client_id > $1 AND ($2::varchar IS NULL OR client_id = $2)
        AND created_at < COALESCE($3::timestamptz, clock_timestamp())
      ORDER BY client_id LIMIT 200 FOR NO KEY UPDATE
   ), ended AS (
     UPDATE application a SET epoch = ${raised('a.epoch')} FROM found WHERE a.client_id = found.client_id RETURNING 1
   )
   SELECT (SELECT max(client_id) FROM found) AS last, count(*)::integer AS ended FROM ended`,
);

/** Ends the access tokens of the next applications. */
async function endApplicationTokens(db: Queryable, scope: EndScope, after: string): Promise<EndedRows> {
  return requireRow(
    await db.query(clientStatement, [after, scope.clientId ?? null, scope.before ?? null]),
    clientStatement,
  );
}

type ScopeParams = readonly [accountId: number | null, clientId: string | null, before: string | null];

const inScope = `($1::bigint IS NULL OR account_id = $1) AND ($2::varchar IS NULL OR client_id = $2)
              AND created_at < COALESCE($3::timestamptz, clock_timestamp())`;

const grantStatement = statement<readonly [...ScopeParams, after: string], EndedRows>(
  'grant_issued_before',
  // A grant to act as the owner is a setting of the application: its tokens end, the grant stays.
  `WITH found AS (
     SELECT id FROM "grant" WHERE id > $4 AND revoked_at IS NULL AND ${inScope}
      ORDER BY id LIMIT 500 FOR NO KEY UPDATE
   ), ended AS (
     UPDATE "grant" g SET revoked_at = CASE g.kind WHEN 'consent' THEN now() END,
            epoch = CASE g.kind WHEN 'consent' THEN g.epoch ELSE ${raised('g.epoch')} END
       FROM found WHERE g.id = found.id RETURNING g.kind
   )
   SELECT (SELECT max(id) FROM found) AS last, count(*) FILTER (WHERE kind = 'consent')::integer AS ended FROM ended`,
);

/** Ends the next consents with their codes and tokens, and the tokens of applications that act as their owner. */
async function endGrants(db: Queryable, scope: EndScope, after: string): Promise<EndedRows> {
  return requireRow(await db.query(grantStatement, [...toParams(scope), after]), grantStatement);
}

const runsStatement = statement<ScopeParams, { readonly ended: number }>(
  'playground_issued_before',
  `WITH ended AS (DELETE FROM playground_run WHERE ${inScope} RETURNING 1)
   SELECT count(*)::integer AS ended FROM ended`,
);

/** Ends runs of the playground, whose state belongs to grants and sessions that have ended. */
async function endPlaygroundRuns(db: Queryable, scope: EndScope): Promise<number> {
  return requireRow(await db.query(runsStatement, toParams(scope)), runsStatement).ended;
}

const pendingStatement = statement<readonly [before: string | null], { readonly ended: number }>(
  'oauth_pending_issued_before',
  `WITH ended AS (
     DELETE FROM oauth_artifact a USING (
       SELECT kind, id_sha256 FROM oauth_artifact
        WHERE kind IN ('Interaction', 'PushedAuthorizationRequest', 'DeviceCode') AND grant_id IS NULL
          AND created_at < COALESCE($1::timestamptz, clock_timestamp())
        LIMIT 1000 FOR UPDATE SKIP LOCKED) AS found
      WHERE a.kind = found.kind AND a.id_sha256 = found.id_sha256 RETURNING 1)
   SELECT count(*)::integer AS ended FROM ended`,
);

/** Deletes the next open sign-ins, pushed requests and device codes that have no grant. Returns how many; 0: there are none left. */
async function endPendingRequests(db: Queryable, before: Moment): Promise<number> {
  return requireRow(await db.query(pendingStatement, [before ?? null]), pendingStatement).ended;
}

function toParams({ accountId, clientId, before }: EndScope): ScopeParams {
  return [accountId ?? null, clientId ?? null, before ?? null];
}

/** How many were ended. */
export interface EndedAccess {
  /** Whose sessions and access tokens ended. */
  readonly accounts: number;
  /** Whose access tokens ended. */
  readonly applications: number;
  /** With their codes, refresh tokens and access tokens. */
  readonly consents: number;
  /** Sign-ins in progress, pushed requests and device codes. */
  readonly pendingRequests: number;
  readonly playgroundRuns: number;
}

/**
 * Ends everything that was issued before a moment, for all accounts and applications, one of them, or one account at one
 * application. Each step is a transaction of its own, so that requests wait for a few rows only; after an error, calling it
 * again is safe. What ends is in docs/operations/recovery.md.
 */
export async function endIssuedBefore(db: Db, scope: EndScope): Promise<EndedAccess> {
  const { accountId, clientId, before } = scope;
  const applications =
    accountId === undefined ? await endAll(async (after) => await endApplicationTokens(db, scope, after)) : 0;
  const accounts = clientId === undefined ? await endOfAccounts(db, scope) : 0;
  // After the sessions, which could give more of them.
  const consents = await endAll(async (after) => await endGrants(db, scope, after));
  const isEverything = accountId === undefined && clientId === undefined;
  return {
    accounts,
    applications,
    consents,
    pendingRequests: isEverything ? await endOfPending(db, before) : 0,
    playgroundRuns: await endPlaygroundRuns(db, scope),
  };
}

async function endAll(step: (after: string) => Promise<EndedRows>): Promise<number> {
  let sum = 0;
  for (let after: string | null = ''; after !== null;) {
    const { last, ended } = await step(after);
    sum += ended;
    after = last;
  }
  return sum;
}

async function endOfAccounts(db: Db, { accountId, before }: EndScope): Promise<number> {
  let sum = 0;
  for (let after: number | undefined = 0; after !== undefined;) {
    const batch = { accountId, before, after };
    const ended: readonly number[] = await db.transaction(async (tx) => await endAccountsIssuedBefore(tx, batch));
    sum += ended.length;
    after = ended.at(-1);
  }
  return sum;
}

async function endOfPending(db: Db, before: EndScope['before']): Promise<number> {
  let sum = 0;
  for (let ended = -1; ended !== 0; sum += ended) ended = await endPendingRequests(db, before);
  return sum;
}
