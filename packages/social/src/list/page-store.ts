import type { Queryable } from '@linnet/db/statement/transaction';
import { gatherIds, limitBatches, lookup, statement } from '@linnet/db/statement/statement';
import type { Statement } from '@linnet/db/statement/statement';

import { cursorPage, numberedPage } from './page-sql.ts';
import type { ListDefinition } from './page-sql.ts';
import type { FoundRows, Page } from './page.ts';

/** The columns that every row of a list's statement has besides the item; they are the same in all rows. */
export interface ListColumns {
  readonly total: number;
  readonly hasPreceding: boolean;
}

const pageTypes = ['bigint', 'bigint', 'bigint'];
type PageParams = readonly [fetchLimit: number, offset: number, boundaryId: number];

/** The statements of a list: one for a page by its number, one for each direction of a cursor. */
export type ListStatements<Params extends readonly unknown[], Row> = Readonly<
  Record<Page['from'], ListStatement<Params, Row>>
>;

type AllParams<Params extends readonly unknown[]> = readonly [...PageParams, ...Params];
type ListStatement<Params extends readonly unknown[], Row> = Statement<AllParams<Params>, Row & ListColumns>;

/**
 * Declares the statements of a list.
 * @see findPage which sends them
 */
export function listStatements<Params extends readonly unknown[], Row>(
  list: ListDefinition,
): ListStatements<Params, Row> {
  const { name, text, sharedBy, gathersIds = false, maxCalls } = list;
  const declare = (variant: string, sql: string): ListStatement<Params, Row> => {
    if (sharedBy === undefined) return statement(variant, sql);
    const shared = lookup<readonly unknown[], Row & ListColumns>(variant, [...pageTypes, ...sharedBy], sql);
    if (gathersIds) return gatherIds(shared);
    return maxCalls === undefined ? shared : limitBatches(shared, maxCalls);
  };
  return {
    number: declare(name, text(numberedPage(list))),
    older: declare(`${name}_older`, text(cursorPage(list, 'older'))),
    newer: declare(`${name}_newer`, text(cursorPage(list, 'newer'))),
  };
}

/** The type of rows with an item, without the row that represents an empty page. */
type ItemRow<Row, Key extends keyof Row> = Extract<Row, { readonly [K in Key]: number }>;

export interface FoundList<Row, Item> extends FoundRows<Item> {
  /** The first row, for columns that a statement returns besides the items. */
  readonly first: Row;
}

/**
 * Sends the statement for a page. `idColumn` is null in the row that represents an empty page.
 * `undefined`: no rows; what the list belongs to does not exist or is hidden.
 */
export async function findPage<Params extends readonly unknown[], Row, Key extends keyof Row>(
  db: Queryable,
  statements: ListStatements<Params, Row>,
  { page, params, idColumn }: { readonly page: Page; readonly params: Params; readonly idColumn: Key },
): Promise<FoundList<Row & ListColumns, ItemRow<Row, Key>> | undefined> {
  const rows = await findRows(db, statements, { page, params });
  const [first] = rows;
  if (first === undefined) return undefined;
  const isItem = (row: Row & ListColumns): row is Row & ListColumns & ItemRow<Row, Key> => row[idColumn] !== null;
  return { total: first.total, hasPreceding: first.hasPreceding, rows: rows.filter(isItem), first };
}

/** Sends the statement for a page and returns its rows. */
export async function findRows<Params extends readonly unknown[], Row>(
  db: Queryable,
  statements: ListStatements<Params, Row>,
  { page, params }: { readonly page: Page; readonly params: Params },
): Promise<readonly (Row & ListColumns)[]> {
  return await db.query(statements[page.from], [page.fetchLimit, page.offset, page.boundaryId, ...params]);
}
