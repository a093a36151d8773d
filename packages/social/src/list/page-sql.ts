/** SQL from which the statements of a list are composed; see `listStatements`. */

/** The largest `count` of a request (100), and one row that shows whether there is another page. */
const maxFetchLimit = 101;

/** A list's statement takes the parameters of the page first, and its own parameters after them. */
const [fetchLimit, offset, boundaryId] = ['$1::bigint', '$2::bigint', '$3::bigint'];

/** SQL from which a list's statement is composed. */
export interface PageSql {
  /** Whether the page starts at a cursor, rather than at its number. */
  readonly isCursor: boolean;
  /** The CTE `edge`, which `page` and `hasPreceding` read. It must come after the CTEs that the source reads. */
  readonly edge: string;
  /** Subquery: the rows of the page, with the columns of the source. */
  readonly page: string;
  /** The CTE `start`, which `slice` reads. It skips the rows before the page, and must come after `edge`. */
  readonly start: string;
  /** Instead of `page`, for a list that reads columns of its rows which are not in the index. */
  readonly slice: Slice;
  /** Condition: are there rows before the page in reading direction? */
  readonly hasPreceding: string;
  readonly order: Slice['order'];
  /** The page lies within this many of the latest rows, except for a cursor in a list without a window. */
  readonly needed: string;
  /** So many of the latest rows come before a page by its number; for a cursor, all within the window. */
  readonly skipped: string;
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
  return few(`SELECT * FROM (${rows}) i ORDER BY i.id ${order} LIMIT ${fetchLimit} OFFSET ${offset}`);
}

/** SQL query: the rows of a page among those of a `slice`. */
export function firstOf(rows: string, { order }: Pick<Slice, 'order'>): string {
  return few(`SELECT * FROM (${rows}) i ORDER BY i.id ${order} LIMIT ${fetchLimit}`);
}

/** The planner cannot tell from a parameter that a page is small. The constant limit shows it. */
function few(rows: string): string {
  return `SELECT * FROM (${rows}) few LIMIT ${String(maxFetchLimit)}`;
}

const edgeAt = (id: string) => `edge AS (SELECT ${id} AS id)`;
const startAt = (id: string) => `start AS MATERIALIZED (SELECT ${id} AS id)`;

/** A page by its number. Every id is below `boundaryId`; the condition is there because PostgreSQL wants each parameter used. */
export function numberedPage({ source, skip }: Pick<ListDefinition, 'source' | 'skip'>): PageSql {
  const order = 'DESC';
  const all = `i.id < ${boundaryId}`;
  const skipped = source({ where: all, order, limit: offset });
  const read = `(SELECT id FROM (${skipped}) i ORDER BY i.id DESC OFFSET GREATEST(${offset} - 1, 0) LIMIT 1)`;
  const lastSkipped = skip === undefined ? read : skip(offset, read);
  return {
    isCursor: false,
    edge: edgeAt('0'),
    page: selectPage(source, { where: all, order }),
    start: startAt(`CASE WHEN ${offset} = 0 THEN ${boundaryId} ELSE COALESCE(${lastSkipped}, 0) END`),
    slice: { where: 'i.id < (SELECT id FROM start)', order, limit: fetchLimit },
    hasPreceding: `(${offset} > 0)`,
    order,
    needed: `(${fetchLimit} + ${offset})`,
    skipped: offset,
  };
}

/**
 * SQL: a limit that the planner does not know. A generic plan expects an account to have few rows. If it knows that the limit is above
 * that, it reads all rows and sorts them, of which some accounts have very many. Of an unknown limit, it reads the index in order.
 */
export function unknownLimit(limit: number): string {
  return `(SELECT ${String(limit)})`;
}

/** SQL: the id of the oldest row within the window. */
function oldestInWindow({ source, skip, window, isBounded = false }: WindowedList): string {
  if (window === undefined || isBounded) return '0';
  const rows = source({ where: 'true', order: 'DESC', limit: unknownLimit(window) });
  const read = `(SELECT w.id FROM (${rows}) w ORDER BY w.id DESC OFFSET ${unknownLimit(window - 1)} LIMIT 1)`;
  return `COALESCE(${skip === undefined ? read : skip(unknownLimit(window), read)}, 0)`;
}

type WindowedList = Pick<ListDefinition, 'source' | 'skip' | 'window' | 'isBounded'>;

/** A page that starts at a cursor. */
export function cursorPage(list: WindowedList, direction: 'older' | 'newer'): PageSql {
  const { source, window } = list;
  const inWindow = 'i.id >= (SELECT id FROM edge)';
  const [following, preceding, order] =
    direction === 'older'
      ? ([`i.id < ${boundaryId}`, `i.id >= ${boundaryId}`, 'DESC'] as const)
      : ([`i.id > ${boundaryId}`, `i.id <= ${boundaryId}`, 'ASC'] as const);
  return {
    isCursor: true,
    edge: edgeAt(oldestInWindow(list)),
    page: selectPage(source, { where: `${following} AND ${inWindow}`, order }),
    start: startAt(boundaryId),
    // The offset is 0.
    slice: { where: `${following} AND ${inWindow}`, order, limit: `${fetchLimit} + ${offset}` },
    hasPreceding: `EXISTS (${source({ where: `${preceding} AND ${inWindow}`, order, limit: '1' })})`,
    order,
    needed: window === undefined ? fetchLimit : String(window),
    skipped: window === undefined ? '0' : unknownLimit(window),
  };
}

export interface ListDefinition {
  readonly name: string;
  /** Its own parameters start at `$4`. */
  readonly source: Source;
  /**
   * SQL: the id of the last of the latest `offset` rows, for a list that finds it with less effort than `read`, which reads them all.
   * `offset` is `skipped`, and not 0.
   */
  readonly skip?: (offset: string, read: string) => string;
  /** Only this many of the latest rows can be reached. */
  readonly window?: number;
  /** The source contains no rows outside the window, so the statement need not look for the window's edge. */
  readonly isBounded?: boolean;
  /**
   * The PostgreSQL types of its own parameters, if its statements return at most one row. Concurrent calls then share a
   * statement.
   */
  readonly sharedBy?: readonly string[];
  /** Whether the last parameter is a list of ids that concurrent calls need not have in common; see `gatherIds`. */
  readonly gathersIds?: boolean;
  /** See `BatchedStatement`. */
  readonly maxCalls?: number;
  /** Composes the statement. It returns a row with ListColumns per row of the page, and one row for an empty page. */
  readonly text: (sql: PageSql) => string;
}
