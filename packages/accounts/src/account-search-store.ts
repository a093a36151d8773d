/** Finding accounts, for operators. */
import type { RegistrationMark } from '@linnet/contract/registration-block';
import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

import type { Subject } from './operators/operator-act.ts';
import { hasFactor } from './operators/role-store.ts';

/** What operators see first of an account: the gravest. */
export const accountStates = ['active', 'limited', 'suspended', 'deleted'] as const;

export type AccountState = (typeof accountStates)[number];

export interface FoundAccount {
  readonly id: number;
  readonly username: string;
  readonly email: string;
  readonly displayName: string;
  readonly state: AccountState;
  readonly isVerified: boolean;
  readonly isEmailConfirmed: boolean;
  readonly isOperator: boolean;
  /** The kind of the block that matched the registration. */
  readonly mark: RegistrationMark | null;
  readonly createdAt: Date;
}

/** Where and when an account was registered. */
interface Origin {
  /** Of the e-mail address, in its ASCII form, with its sub-domains. */
  readonly emailDomain?: string | undefined;
  /** Of an event of the audit log, which after seven days has only /24 or /48 of the address. */
  readonly network?: string | undefined;
  /** Registered from this moment on. */
  readonly registeredAfter?: Date | undefined;
}

export interface AccountSearch extends Origin {
  /** An id, the start of a username or e-mail address, or a part of a display name, whatever the case. Empty: every account but test people. */
  readonly text: string;
  /** Undefined: in every state. */
  readonly state: AccountState | undefined;
  /** Only accounts with a smaller id: created earlier. */
  readonly before: number | undefined;
  /** Only operators. */
  readonly areOperators?: boolean;
  readonly limit: number;
}

/** SQL: the column `state`. */
const withState = `LATERAL (SELECT CASE WHEN deleted_at IS NOT NULL THEN 'deleted'
                               WHEN suspended_at IS NOT NULL THEN 'suspended'
                               WHEN limited_at IS NOT NULL THEN 'limited' ELSE 'active' END AS state) s`;

/** SQL: what an operator sees of a found account. */
const foundColumns = `id, username, email, display_name AS "displayName", state, verified AS "isVerified",
  email_verified_at IS NOT NULL AS "isEmailConfirmed", operator_since IS NOT NULL AS "isOperator", mark, created_at AS "createdAt"`;

/** SQL: whether an account comes from there. The parameters are null for everywhere. */
const isFrom = (domain: string, network: string, after: string) => `(${domain}::text IS NULL
        OR right(email_ci, length(${domain}) + 1) IN ('@' || ${domain}, '.' || ${domain}))
      AND (${network}::inet IS NULL OR id IN (
        SELECT e.account_id FROM audit_address d JOIN audit_event e ON e.id = d.event_id WHERE d.address && ${network}::inet))
      AND (${after}::timestamptz IS NULL OR created_at >= ${after})`;

type OriginParams = readonly [domain: string | null, network: string | null, after: Date | null];

type SearchParams = readonly [
  text: string,
  state: string | null,
  before: number | null,
  limit: number,
  areOperators: boolean,
  ...origin: OriginParams,
];

const searchStatement = statement<SearchParams, FoundAccount>(
  'account_search',
  `SELECT ${foundColumns}
     FROM account,
          ${withState}
    WHERE erased_at IS NULL AND ($3::bigint IS NULL OR id < $3) AND ($2::text IS NULL OR state = $2)
      AND (NOT $5::boolean OR operator_since IS NOT NULL)
      AND ($1 <> '' OR test_owner_id IS NULL)
      AND ($1 = '' OR id::text = $1 OR starts_with(username_ci, $1) OR starts_with(email_ci, $1)
           OR position($1 IN lower(display_name)) > 0)
      AND ${isFrom('$6', '$7', '$8')}
    ORDER BY id DESC LIMIT $4`,
);

/** Newest first. */
export async function searchAccounts(
  db: Queryable,
  { text, state, before, limit, areOperators = false, ...origin }: AccountSearch,
): Promise<readonly FoundAccount[]> {
  const wanted = text.trim().toLowerCase();
  return await db.query(searchStatement, [
    wanted,
    state ?? null,
    before ?? null,
    limit,
    areOperators,
    ...toParams(origin),
  ]);
}

function toParams({ emailDomain, network, registeredAfter }: Origin): OriginParams {
  return [emailDomain?.toLowerCase() ?? null, network ?? null, registeredAfter ?? null];
}

/** An account with what decides which acts are possible. */
export interface ChosenAccount extends FoundAccount, Subject {}

const chosenStatement = statement<readonly [ids: readonly number[]], ChosenAccount>(
  'account_search_chosen',
  `SELECT ${foundColumns}, suspended_at IS NOT NULL AS "isSuspended", limited_at IS NOT NULL AS "isLimited",
          deleted_at IS NOT NULL AS "isDeleted", ${hasFactor} AS "hasFactors"
     FROM account a, ${withState} WHERE erased_at IS NULL AND id = ANY($1::bigint[]) ORDER BY id`,
);

/** Those of these accounts that exist, oldest first. */
export async function findChosen(db: Queryable, ids: readonly number[]): Promise<readonly ChosenAccount[]> {
  return await db.query(chosenStatement, [ids]);
}

export type NamedAccount = Pick<FoundAccount, 'id' | 'username'>;

const namedStatement = statement<readonly [usernamesCi: readonly string[]], NamedAccount>(
  'account_search_named',
  'SELECT id, username FROM account WHERE erased_at IS NULL AND username_ci = ANY($1::text[]) ORDER BY id',
);

/** The accounts with these usernames, deleted ones included. Ignores case. */
export async function findNamed(db: Queryable, usernames: readonly string[]): Promise<readonly NamedAccount[]> {
  return await db.query(namedStatement, [usernames.map((one) => one.toLowerCase())]);
}

/** Accounts that have everything that is given. */
export interface AccountFilter extends Origin {
  /** A part of the username. */
  readonly matching: string | undefined;
}

type FilterParams = readonly [states: readonly AccountState[], ...origin: OriginParams, part: string | null];

const filterStatement = statement<FilterParams, NamedAccount>(
  'account_search_filter',
  `SELECT id, username FROM account, ${withState}
    WHERE erased_at IS NULL AND operator_since IS NULL AND state = ANY($1::text[])
      AND ${isFrom('$2', '$3', '$4')} AND ($5::text IS NULL OR position($5 IN username_ci) > 0)
    ORDER BY id`,
);

/** Never finds operators. */
export async function filterAccounts(
  db: Queryable,
  states: readonly AccountState[],
  { matching, ...origin }: AccountFilter,
): Promise<readonly NamedAccount[]> {
  return await db.query(filterStatement, [states, ...toParams(origin), matching?.toLowerCase() ?? null]);
}

export interface Erasure {
  readonly accountId: number;
  readonly at: Date;
}

const unerasedStatement = statement<readonly [ids: readonly number[], times: readonly string[]], NamedAccount>(
  'account_search_unerased',
  `SELECT a.id, a.username FROM unnest($1::bigint[], $2::timestamptz[]) e(id, at)
     JOIN account a ON a.id = e.id AND a.created_at < e.at
    WHERE a.erased_at IS NULL GROUP BY a.id ORDER BY a.id`,
);

/**
 * The accounts of a restored database that were erased before. A restored database gives ids again: a person who registered after the
 * erasure is somebody else.
 */
export async function findUnerased(db: Queryable, erasures: readonly Erasure[]): Promise<readonly NamedAccount[]> {
  const [ids, times] = [erasures.map(({ accountId }) => accountId), erasures.map(({ at }) => at.toISOString())];
  return await db.query(unerasedStatement, [ids, times]);
}
