import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';
import type { Statement } from '@linnet/db/statement';

import type { FoundRows, Page } from './page.ts';

/** The columns that every row of a list's statement has besides the item; they are the same in all rows. */
export interface ListColumns {
  readonly total: number;
  readonly hasPreceding: boolean;
}

/** The largest `count` of a request (100), and one row that shows whether there is another page. */
const maxFetchLimit = 101;

type PageParams = readonly [fetchLimit: number, offset: number, boundaryId: number];

/** A list's statement takes the parameters of the page first, and its own parameters after them. */
const [fetchLimit, offset, boundaryId] = ['$1::bigint', '$2::bigint', '$3::bigint'];

/** SQL from which a list's statement is composed. */
interface PageSql {
  /** The CTE `edge`, which `page` and `hasPreceding` read. It must come after the CTEs that the source reads. */
  readonly edge: string;
  /** Subquery: the rows of the page, with the columns of the source. */
  readonly page: string;
  /** Condition: are there rows before the page in reading direction? */
  readonly hasPreceding: string;
  readonly order: Slice['order'];
  /** The page lies within this many of the latest rows, except for a cursor in a list without a window. */
  readonly needed: string;
}

/** The rows of a list to read. */
export interface Slice {
  /** Condition on `i.id`, where `i` is the table that the list is ordered by. */
  readonly where: string;
  readonly order: 'ASC' | 'DESC';
  /** The source may stop after this many rows in that order. */
  readonly limit: string;
}

/** Returns SQL that selects a slice: a column `id` that ascends with time, and the columns that the statement needs. */
type Source = (slice: Slice) => string;

function selectPage(source: Source, { where, order }: Omit<Slice, 'limit'>): string {
  const rows = source({ where, order, limit: `${fetchLimit} + ${offset}` });
  // The planner cannot tell from a parameter that a page is small. The constant outer limit shows it.
  return `SELECT * FROM (
    SELECT * FROM (${rows}) i ORDER BY i.id ${order} LIMIT ${fetchLimit} OFFSET ${offset}
  ) few LIMIT ${String(maxFetchLimit)}`;
}

const edgeAt = (id: string) => `edge AS (SELECT ${id} AS id)`;

/** A page by its number. Every id is below `boundaryId`; the condition is there because PostgreSQL wants each parameter used. */
function numberedPage(source: Source): PageSql {
  const order = 'DESC';
  return {
    edge: edgeAt('0'),
    page: selectPage(source, { where: `i.id < ${boundaryId}`, order }),
    hasPreceding: `(${offset} > 0)`,
    order,
    needed: `(${fetchLimit} + ${offset})`,
  };
}

/** SQL: the id of the oldest row within the window. */
function oldestInWindow(source: Source, window: number | undefined): string {
  if (window === undefined) return '0';
  const rows = source({ where: 'true', order: 'DESC', limit: String(window) });
  return `COALESCE((SELECT w.id FROM (${rows}) w ORDER BY w.id DESC OFFSET ${String(window - 1)} LIMIT 1), 0)`;
}

/** A page that starts at a cursor. */
function cursorPage(
  { source, window, isBounded = false }: Pick<ListDefinition, 'source' | 'window' | 'isBounded'>,
  direction: 'older' | 'newer',
): PageSql {
  const inWindow = 'i.id >= (SELECT id FROM edge)';
  const [following, preceding, order] =
    direction === 'older'
      ? ([`i.id < ${boundaryId}`, `i.id >= ${boundaryId}`, 'DESC'] as const)
      : ([`i.id > ${boundaryId}`, `i.id <= ${boundaryId}`, 'ASC'] as const);
  return {
    edge: edgeAt(isBounded ? '0' : oldestInWindow(source, window)),
    page: selectPage(source, { where: `${following} AND ${inWindow}`, order }),
    hasPreceding: `EXISTS (${source({ where: `${preceding} AND ${inWindow}`, order, limit: '1' })})`,
    order,
    needed: window === undefined ? fetchLimit : String(window),
  };
}

interface ListDefinition {
  readonly name: string;
  /** Its own parameters start at `$4`. */
  readonly source: Source;
  /** Only this many of the latest rows can be reached. */
  readonly window?: number;
  /** The source contains no rows outside the window, so the statement need not look for the window's edge. */
  readonly isBounded?: boolean;
  /** Composes the statement. It returns a row with ListColumns per row of the page, and one row for an empty page. */
  readonly text: (sql: PageSql) => string;
}

/** The statements of a list: one for a page by its number, one for each direction of a cursor. */
export type ListStatements<Params extends readonly unknown[], Row> = Readonly<
  Record<Page['from'], Statement<readonly [...PageParams, ...Params], Row & ListColumns>>
>;

/**
 * Declares the statements of a list.
 * @see findPage which sends them
 */
export function listStatements<Params extends readonly unknown[], Row>(
  list: ListDefinition,
): ListStatements<Params, Row> {
  const { name, source, text } = list;
  return {
    number: statement(name, text(numberedPage(source))),
    older: statement(`${name}_older`, text(cursorPage(list, 'older'))),
    newer: statement(`${name}_newer`, text(cursorPage(list, 'newer'))),
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
  const rows = await db.query(statements[page.from], [page.fetchLimit, page.offset, page.boundaryId, ...params]);
  const [first] = rows;
  if (first === undefined) return undefined;
  const isItem = (row: Row & ListColumns): row is Row & ListColumns & ItemRow<Row, Key> => row[idColumn] !== null;
  return { total: first.total, hasPreceding: first.hasPreceding, rows: rows.filter(isItem), first };
}
