import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

import { authorColumns, lateralAccount, toAuthor } from './account-row.ts';
import type { AuthorColumns } from './account-row.ts';
import type { MarkedAccountRow } from './account-view.ts';
import { accountMarks } from './viewer-marks.ts';
import type { Marks } from './viewer-marks.ts';
import type { Viewer } from './visibility.ts';

type FoundAccount = AuthorColumns & { readonly marks: Marks };

const viewer = '$3::bigint';
const columns = `${authorColumns('a')}, ${accountMarks('a', viewer)} AS marks`;

const selectAccounts = statement<
  readonly [ids: readonly number[], usernamesCi: readonly string[], viewer: Viewer],
  FoundAccount
>(
  'account_lookup',
  `SELECT ${columns} FROM unnest($1::bigint[]) AS asked(id) JOIN ${lateralAccount('asked.id')} a ON a.hidden_at IS NULL
   UNION ALL
   SELECT ${columns} FROM unnest($2::text[]) AS asked(username_ci)
   JOIN LATERAL (SELECT * FROM account WHERE username_ci = asked.username_ci OFFSET 0) a ON a.hidden_at IS NULL`,
);

interface AskedAccounts {
  readonly ids: readonly number[];
  readonly usernames: readonly string[];
  readonly viewer: Viewer;
}

interface FoundAccounts {
  /** In the order asked, those by id first, each once. */
  readonly accounts: readonly MarkedAccountRow[];
  readonly missingIds: readonly number[];
  /** As they were asked for. */
  readonly missingUsernames: readonly string[];
}

/** Finds accounts by id and by username, without regard to case. */
export async function findAccounts(
  db: Queryable,
  { ids, usernames, viewer: reader }: AskedAccounts,
): Promise<FoundAccounts> {
  const names = new Map(usernames.map((name) => [name.toLowerCase(), name]));
  const [askedIds, askedNames] = [[...new Set(ids)], [...names.keys()]];
  const rows = (await db.query(selectAccounts, [askedIds, askedNames, reader])).map((row) => ({
    ...toAuthor(row),
    marks: row.marks,
  }));
  const byId = new Map(rows.map((row) => [row.id, row]));
  const byName = new Map(rows.map((row) => [row.username.toLowerCase(), row]));
  const found = [...askedIds.map((id) => byId.get(id)), ...askedNames.map((name) => byName.get(name))];
  return {
    accounts: [...new Set(found.flatMap((row) => (row === undefined ? [] : [row.id])))].flatMap(
      (id) => byId.get(id) ?? [],
    ),
    missingIds: askedIds.filter((id) => !byId.has(id)),
    missingUsernames: askedNames.filter((name) => !byName.has(name)).map((name) => names.get(name) ?? name),
  };
}

const accountExistsById = statement<readonly [number], { one: number }>(
  'account_exists',
  'SELECT 1 AS one FROM account WHERE id = $1 AND hidden_at IS NULL',
);

/** True when the account exists and is not hidden. */
export async function accountExists(db: Queryable, id: number): Promise<boolean> {
  const rows = await db.query(accountExistsById, [id]);
  return rows.length > 0;
}
