/** Lists of the accounts that one account has something to do with, such as its followers. */
import type { Queryable } from '@linnet/db/statement/transaction';

import { findPage, listStatements } from '../list/page-store.ts';
import type { ListStatements } from '../list/page-store.ts';
import type { Slice } from '../list/page-sql.ts';
import { toPaged } from '../list/page.ts';
import type { Page, Paged } from '../list/page.ts';
import { filterInBatch } from './account-filter.ts';
import type { AccountFilter } from './account-filter.ts';
import { authorColumns, lateralAccount, toAuthor } from './account-row.ts';
import type { AuthorColumns } from './account-row.ts';
import type { MarkedAccountRow } from './account-view.ts';
import { accountMarks } from './viewer-marks.ts';
import type { Marks } from './viewer-marks.ts';
import { isOpenTo } from './visibility.ts';
import type { Viewer } from './visibility.ts';

type ListedAccount = AuthorColumns & {
  readonly listedId: number;
  readonly marks: Marks;
  /** Of a mute; null: it has no end. */
  readonly endsAt: Date | null;
};
type ListRow = ListedAccount | { readonly [Key in keyof ListedAccount]: null };

/** The viewer, as SQL. */
export const listViewer = '$5::bigint';

interface AccountList {
  readonly name: string;
  readonly table: 'follow' | 'follow_request' | 'block' | 'mute';
  /** The column that holds the account whose list it is. */
  readonly own: string;
  readonly other: string;
  readonly filter: AccountFilter;
  /** SQL condition on the row `i`. */
  readonly condition?: string;
  /** The counter in the account whose list it is; some lists have none. */
  readonly counter?: string;
  /** SQL of `endsAt`, of the row with the id `i.id`. */
  readonly endsAt?: string;
}

/**
 * Lists up to this length are counted row by row. The total of a longer list is the account's counter, which may still
 * include hidden accounts until the deletion job has run.
 */
const maxCounted = 3000;

/** SQL: how many rows of the list a block hides from the viewer. */
function countBlocked({ table, own, other }: AccountList): string {
  return `(SELECT count(*) FROM (
      SELECT blocked_id AS id FROM block WHERE blocker_id = ${listViewer} UNION SELECT blocker_id FROM block WHERE blocked_id = ${listViewer}
    ) b WHERE (SELECT true FROM ${table} WHERE ${own} = $4 AND ${other} = b.id))`;
}

type AccountListStatements = ListStatements<readonly [accountId: number, viewer: Viewer], ListRow>;

/** Declares the statements of a list. Between the account whose list it is and the viewer is no block. */
export function defineAccountList(list: AccountList): AccountListStatements {
  const { name, table, own, other, counter, condition = 'true', endsAt = 'NULL::timestamptz' } = list;
  const rows = `FROM ${table} i WHERE i.${own} = $4 AND ${condition}`;
  const filter = filterInBatch(list.filter, rows, other);
  const source = ({ where }: Pick<Slice, 'where'>) =>
    `SELECT i.id, i.${other} AS other_id ${rows} AND ${where} AND ${filter.isListed}`;
  const count = `(SELECT count(*) FROM (${source({ where: 'true' })}) t)`;
  const isCounted = `listed.${String(counter)} <= ${String(maxCounted)}`;
  const total =
    counter === undefined
      ? count
      : `CASE WHEN ${isCounted} THEN ${count} ELSE listed.${counter} - ${countBlocked(list)} END`;
  const latest = (needed: string) =>
    counter === undefined
      ? 'ALL'
      : `(SELECT CASE WHEN ${isCounted} THEN ${String(maxCounted)} ELSE ${needed} END FROM account listed WHERE id = $4)`;
  return listStatements({
    name,
    source,
    text: ({ edge, page, hasPreceding, order, needed }) => `
      WITH ${filter.ctes(latest(needed))}, ${edge}
      SELECT ${total} AS total, ${hasPreceding} AS "hasPreceding", i.id AS "listedId", ${endsAt} AS "endsAt",
        ${authorColumns('a')}, ${accountMarks('a', listViewer)} AS marks
      FROM account listed LEFT JOIN LATERAL (${page}) i ON true
      LEFT JOIN ${lateralAccount('i.other_id')} a ON true
      WHERE listed.id = $4 AND listed.hidden_at IS NULL AND ${isOpenTo(listViewer, 'listed')}
      ORDER BY i.id ${order}`,
  });
}

export interface ListedAccountRow extends MarkedAccountRow {
  readonly endsAt: Date | null;
}

/** Whose list it is, and who reads it. */
interface ListOf {
  readonly accountId: number;
  readonly viewer: Viewer;
}

/**
 * Returns a page of a list of accounts, newest first. `undefined`: the account whose list it is does not exist, or there is a
 * block between it and the viewer.
 */
export async function findAccounts(
  db: Queryable,
  list: { readonly statements: AccountListStatements; readonly of: ListOf },
  page: Page,
): Promise<Paged<ListedAccountRow> | undefined> {
  const { accountId, viewer } = list.of;
  const found = await findPage(db, list.statements, { page, params: [accountId, viewer], idColumn: 'listedId' });
  if (found === undefined) return undefined;
  const paged = toPaged(found, page, (row) => row.listedId);
  return {
    ...paged,
    items: paged.items.map((row) => ({ ...toAuthor(row), marks: row.marks, endsAt: row.endsAt })),
  };
}
