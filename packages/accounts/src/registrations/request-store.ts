/** Registrations that wait for an operator (table `registration_request`). */
import { createSweep } from '@linnet/db/keep/sweep';
import { retention } from '@linnet/db/keep/retention';
import type { RegistrationMark } from '@linnet/contract/registration-block';
import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

import { insertAccount } from '../account-store.ts';
import type { NewAccount } from '../account-store.ts';
import type { Account } from '../account.ts';
import { imitatesDisplayName } from '../names/imitation-store.ts';
import { toNameKeys } from '../names/skeleton.ts';
import type { Insert } from './register.ts';

export interface RegistrationRequest {
  /** Of the account that it becomes. */
  readonly id: number;
  readonly username: string;
  readonly displayName: string;
  readonly email: string;
  /** Why the person wants an account; may be empty. */
  readonly reason: string;
  /** The application that sent it; null for the registration page. */
  readonly clientId: string | null;
  readonly mark: RegistrationMark | null;
  readonly createdAt: Date;
}

/** What a request has besides the account. */
export interface RequestOrigin {
  readonly reason: string;
  readonly clientId: string | null;
}

type InsertParams = readonly [
  username: string,
  email: string,
  passwordHash: string,
  firstName: string,
  lastName: string,
  displayName: string,
  language: string | null,
  displayNameKeys: readonly string[],
  reason: string,
  clientId: string | null,
  mark: string | null,
  invitedBy: number | null,
];

// The result is the account as it will be.
const insertStatement = statement<InsertParams, Account>(
  'registration_request_insert',
  `INSERT INTO registration_request (username, username_ci, email, email_ci, password_hash, first_name, last_name, display_name,
     language, reason, client_id, mark, invited_by)
   SELECT $1::text, lower($1::text), $2::text, lower($2::text), $3, $4, $5, $6::text, COALESCE($7, 'en'), $9, $10, $11, $12
   WHERE NOT ${imitatesDisplayName('$6', '$8', 'NULL::bigint')}
   ON CONFLICT DO NOTHING
   RETURNING id, username, email, NULL::timestamptz AS "emailVerifiedAt", first_name AS "firstName", last_name AS "lastName",
     display_name AS "displayName", '' AS description, '' AS country, language, false AS verified, 0 AS "followersCount",
     0 AS "followingCount", 0 AS "postsCount", NULL::text AS avatar, created_at AS "createdAt",
     NULL::timestamptz AS "deletedAt", NULL::timestamptz AS "operatorSince"`,
);

/** Stores a request instead of an account. */
export function insertRequest({ reason, clientId }: RequestOrigin): Insert {
  return async (db, account) => {
    const { username, email, passwordHash, firstName, lastName, displayName, language = null } = account;
    const { displayNameKeys = [], mark = null, invitedBy = null } = account;
    const names = [username, email, passwordHash, firstName, lastName, displayName, language] as const;
    const [row] = await db.query(insertStatement, [...names, displayNameKeys, reason, clientId, mark, invitedBy]);
    return row;
  };
}

type Position = readonly [createdAt: Date, id: number];

const listStatement = statement<readonly [...Position, limit: number], RegistrationRequest>(
  'registration_requests',
  `SELECT id, username, display_name AS "displayName", email, reason, client_id AS "clientId", mark, created_at AS "createdAt"
     FROM registration_request WHERE (created_at, id) > ($1, $2::bigint) ORDER BY created_at, id LIMIT $3`,
);

interface RequestPage {
  /** The last one of the page before. */
  readonly after: Pick<RegistrationRequest, 'createdAt' | 'id'> | undefined;
  readonly limit: number;
}

/** Oldest first. */
export async function findRequests(
  db: Queryable,
  { after, limit }: RequestPage,
): Promise<readonly RegistrationRequest[]> {
  return await db.query(listStatement, [after?.createdAt ?? new Date(0), after?.id ?? 0, limit]);
}

const byUsernameStatement = statement<readonly [usernameCi: string], { readonly id: number }>(
  'registration_request_by_username',
  'SELECT id FROM registration_request WHERE username_ci = $1',
);

/** Ignores case. */
export async function findRequestId(db: Queryable, username: string): Promise<number | undefined> {
  return (await db.query(byUsernameStatement, [username.toLowerCase()]))[0]?.id;
}

export const registrationDecisions = ['approved', 'refused'] as const;
export type RegistrationDecision = (typeof registrationDecisions)[number];

interface Decision {
  readonly decision: RegistrationDecision;
  /** Why, for the audit log. Undefined: the transaction has the reason; see `actAsOperator`. */
  readonly reason?: string;
}

/** Ids of requests. `taken`: the address or a name belongs to an account now, so that they can only be refused. */
export interface Decided {
  readonly done: readonly number[];
  readonly taken: readonly number[];
}

/** Decides requests in a transaction. Those that were decided in the meantime are in neither list. The people get mail. */
export async function decideRequests(within: Queryable, ids: readonly number[], decision: Decision): Promise<Decided> {
  const done: number[] = [];
  const taken: number[] = [];
  for (const id of [...new Set(ids)].toSorted((a, b) => a - b)) {
    const outcome = await decide(within, id, decision);
    if (outcome === 'done') done.push(id);
    if (outcome === 'taken') taken.push(id);
  }
  return { done, taken };
}

async function decide(
  within: Queryable,
  id: number,
  { decision, reason = null }: Omit<Decision, 'reason'> & { readonly reason?: string | null },
) {
  const [request] = await within.query(lockStatement, [id]);
  if (request === undefined) return undefined;
  if (decision === 'approved') {
    const displayNameKeys = toNameKeys(request.displayName);
    if ((await insertAccount(within, { ...request, displayNameKeys })) === undefined) return 'taken';
  }
  await within.query(endStatement, [id, decision, reason ?? null]);
  return 'done';
}

const lockStatement = statement<readonly [id: number], NewAccount>(
  'registration_request_lock',
  `SELECT id, username, email, password_hash AS "passwordHash", first_name AS "firstName", last_name AS "lastName",
          display_name AS "displayName", language, mark, invited_by AS "invitedBy"
     FROM registration_request WHERE id = $1 FOR UPDATE`,
);

// Who is approved gets mail with the account, by a trigger.
const endStatement = statement<readonly [id: number, decision: string, reason: string | null], never>(
  'registration_request_end',
  `WITH gone AS (
     DELETE FROM registration_request WHERE id = $1 RETURNING *
   ), told AS (
     INSERT INTO mail (kind, recipient, detail)
     SELECT 'registration_refused', email, jsonb_build_object('username', username, 'language', language) FROM gone
      WHERE $2::text = 'refused'
   )
   SELECT audit('registration.' || $2::text, 'service', id, NULL,
     CASE WHEN $3::text IS NULL THEN '{}' ELSE jsonb_build_object('reason', $3::text) END) FROM gone`,
);

/** Deletes requests that nobody decided. */
export const sweepRequests = createSweep('registration_request', {
  table: 'registration_request',
  where: `created_at <= now() - interval '${retention.registration_request.undecided}' ORDER BY created_at, id`,
});
