import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';
import type { Statement } from '@linnet/db/statement';

import type { FoundRows, Page } from './page.ts';

/** What a statement of a list tells in each of its rows, besides the item. */
export interface ListColumns {
  readonly total: number;
  readonly behind: boolean;
}

const maxFetched = 101;

type PageParams = readonly [fetched: number, offset: number, bound: number];

/** The parameters of a page are the first three of a list's statement. */
const [fetched, offset, bound] = ['$1::bigint', '$2::bigint', '$3::bigint'];

/** The parts of a list's statement. `$1` to `$3` are the page's; the list's own parameters follow. */
interface PageSql {
  /** The CTE `edge` that `page` and `behind` refer to; after those that the source refers to. */
  readonly edge: string;
  /** Subquery: the rows of the page, as the source has them. */
  readonly page: string;
  /** Boolean: are there rows on the side that the page comes from? */
  readonly behind: string;
  readonly order: Slice['order'];
  /** So many of the list's latest rows are enough for the page, unless it goes on from a cursor and the list has no window. */
  readonly needed: string;
}

/** What of a list is read. */
export interface Slice {
  /** Condition on `i.id`, where `i` is the table that the list is ordered by. */
  readonly where: string;
  readonly order: 'ASC' | 'DESC';
  /** So many rows in that order are enough. */
  readonly limit: string;
}

/** SQL of the rows of a slice: a column `id` that ascends with time, and what the statement needs of a row. */
type Source = (slice: Slice) => string;

function pageOfSource(source: Source, { where, order }: Omit<Slice, 'limit'>): string {
  const rows = source({ where, order, limit: `${fetched} + ${offset}` });
  // The planner cannot see from a parameter that a page is small; the outer limit tells it.
  return `SELECT * FROM (
    SELECT * FROM (${rows}) i ORDER BY i.id ${order} LIMIT ${fetched} OFFSET ${offset}
  ) few LIMIT ${String(maxFetched)}`;
}

const edgeAt = (id: string) => `edge AS (SELECT ${id} AS id)`;

/** A page by its number. No row has an id as great as `bound`, which is used because every parameter must be. */
function numberedPage(source: Source): PageSql {
  const order = 'DESC';
  return {
    edge: edgeAt('0'),
    page: pageOfSource(source, { where: `i.id < ${bound}`, order }),
    behind: `(${offset} > 0)`,
    order,
    needed: `(${fetched} + ${offset})`,
  };
}

/** The id of the last row that the window lets through. */
function floorOf(source: Source, window: number | undefined): string {
  if (window === undefined) return '0';
  const rows = source({ where: 'true', order: 'DESC', limit: String(window) });
  return `COALESCE((SELECT w.id FROM (${rows}) w ORDER BY w.id DESC OFFSET ${String(window - 1)} LIMIT 1), 0)`;
}

/** A page that goes on from a cursor; `window` as in ListDefinition. */
function pageFrom(
  { source, window, isCut = false }: Pick<ListDefinition, 'source' | 'window' | 'isCut'>,
  direction: 'older' | 'newer',
): PageSql {
  const floor = 'i.id >= (SELECT id FROM edge)';
  const [ahead, past, order] =
    direction === 'older'
      ? ([`i.id < ${bound}`, `i.id >= ${bound}`, 'DESC'] as const)
      : ([`i.id > ${bound}`, `i.id <= ${bound}`, 'ASC'] as const);
  return {
    edge: edgeAt(isCut ? '0' : floorOf(source, window)),
    page: pageOfSource(source, { where: `${ahead} AND ${floor}`, order }),
    behind: `EXISTS (${source({ where: `${past} AND ${floor}`, order, limit: '1' })})`,
    order,
    needed: window === undefined ? fetched : String(window),
  };
}

interface ListDefinition {
  readonly name: string;
  /** Names parameters from `$4` on. */
  readonly source: Source;
  /** Only this many of the latest rows can be reached. */
  readonly window?: number;
  /** The source itself has no rows beyond the window, so that its end need not be looked for. */
  readonly isCut?: boolean;
  /** The whole statement: a row for each row of the page, with ListColumns; one row for an empty page. */
  readonly text: (sql: PageSql) => string;
}

/** The statements of a list: for a page by its number, and on from a cursor. */
export type ListStatements<Params extends readonly unknown[], Row> = Readonly<
  Record<Page['from'], Statement<readonly [...PageParams, ...Params], Row & ListColumns>>
>;

export function listStatements<Params extends readonly unknown[], Row>(
  list: ListDefinition,
): ListStatements<Params, Row> {
  const { name, source, text } = list;
  return {
    number: statement(name, text(numberedPage(source))),
    older: statement(`${name}_older`, text(pageFrom(list, 'older'))),
    newer: statement(`${name}_newer`, text(pageFrom(list, 'newer'))),
  };
}

/** Rows that are an item, without the one that stands for an empty page. */
type ItemRow<Row, Key extends keyof Row> = Extract<Row, { readonly [K in Key]: number }>;

export interface FoundList<Row, Item> extends FoundRows<Item> {
  /** The first row of the answer, for what a statement tells besides its items. */
  readonly first: Row;
}

/** Sends the statement of the page; `undefined`: no row at all, what is listed is not there. */
export async function findPage<Params extends readonly unknown[], Row, Key extends keyof Row>(
  db: Queryable,
  statements: ListStatements<Params, Row>,
  { page, params, idColumn }: { readonly page: Page; readonly params: Params; readonly idColumn: Key },
): Promise<FoundList<Row & ListColumns, ItemRow<Row, Key>> | undefined> {
  const rows = await db.query(statements[page.from], [page.fetched, page.offset, page.bound, ...params]);
  const [first] = rows;
  if (first === undefined) return undefined;
  const isItem = (row: Row & ListColumns): row is Row & ListColumns & ItemRow<Row, Key> => row[idColumn] !== null;
  return { total: first.total, behind: first.behind, rows: rows.filter(isItem), first };
}
