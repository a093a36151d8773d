/** Finding accounts, for operators. */
import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

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
  readonly createdAt: Date;
}

export interface AccountSearch {
  /** An id, the start of a username or e-mail address, or a part of a display name, whatever the case. Empty: every account. */
  readonly text: string;
  /** Undefined: in every state. */
  readonly state: AccountState | undefined;
  /** Only accounts with a smaller id: created earlier. */
  readonly before: number | undefined;
  /** Only operators. */
  readonly areOperators?: boolean;
  readonly limit: number;
}

const searchStatement = statement<
  readonly [text: string, state: string | null, before: number | null, limit: number, areOperators: boolean],
  FoundAccount
>(
  'account_search',
  `SELECT id, username, email, display_name AS "displayName", state, verified AS "isVerified",
          email_verified_at IS NOT NULL AS "isEmailConfirmed", operator_since IS NOT NULL AS "isOperator", created_at AS "createdAt"
     FROM account,
          LATERAL (SELECT CASE WHEN deleted_at IS NOT NULL THEN 'deleted'
                               WHEN suspended_at IS NOT NULL THEN 'suspended'
                               WHEN limited_at IS NOT NULL THEN 'limited' ELSE 'active' END AS state) s
    WHERE erased_at IS NULL AND ($3::bigint IS NULL OR id < $3) AND ($2::text IS NULL OR state = $2)
      AND (NOT $5::boolean OR operator_since IS NOT NULL)
      AND ($1 = '' OR id::text = $1 OR starts_with(username_ci, $1) OR starts_with(email_ci, $1)
           OR position($1 IN lower(display_name)) > 0)
    ORDER BY id DESC LIMIT $4`,
);

/** Newest first. */
export async function searchAccounts(
  db: Queryable,
  { text, state, before, limit, areOperators = false }: AccountSearch,
): Promise<readonly FoundAccount[]> {
  const wanted = text.trim().toLowerCase();
  return await db.query(searchStatement, [wanted, state ?? null, before ?? null, limit, areOperators]);
}
