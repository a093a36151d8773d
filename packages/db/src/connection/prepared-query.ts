import type { Duplex } from 'node:stream';

import pg from 'pg';

/** The internals of `pg` that this file uses. */
interface Connection {
  readonly stream: Pick<Duplex, 'writable' | 'write'>;
}

interface Field {
  readonly name: string;
}

type Parse = (value: string) => unknown;

interface RowDescription {
  readonly fields: readonly Field[];
}

interface DataRow {
  /** In text format. */
  readonly fields: readonly (string | null)[];
}

declare class DriverQuery {
  text: string;
  name: string;
  values: readonly unknown[];
  /** `_parsers` is set once the rows are described. */
  _result: { readonly rows: unknown[]; readonly _parsers: readonly Parse[] | undefined };
  /** The same object, unless a text has several statements. */
  _results: unknown;
  _canceledDueToError: unknown;
  constructor(text: string);
  /** Returns an error instead of sending. */
  submit(connection: Connection): Error | null;
  handleRowDescription(message: RowDescription): void;
  handleDataRow(message: DataRow): void;
  handleReadyForQuery(connection: Connection): void;
}

// @types/pg leaves out the members that a query has for the connection.
const ParentQuery = pg.Query as unknown as typeof DriverQuery;

interface Column {
  readonly name: string;
  readonly parse: Parse;
}

/** How to read the rows of a prepared statement. PostgreSQL does not change it while the statement is prepared. */
interface RowShape {
  readonly columns: readonly Column[];
  /** A row in which every column is null. */
  readonly empty: Readonly<Record<string, unknown>>;
}

/** What is known about a connection. */
interface Known {
  /** By the names of the statements that it has prepared. */
  readonly shapes: Map<string, RowShape>;
  /** Takes the messages of a query, and leaves out Describe. */
  readonly collector: Connection;
  /** Writes the messages taken. */
  readonly flush: () => void;
}

const connections = new WeakMap<Connection, Known>();

/**
 * A named statement, for `query` of a pool or client, with a callback. From its second run on a connection it is sent as
 * Bind, Execute and Sync in one write: `pg` asks PostgreSQL to describe the rows each time, and prepares to read them
 * again. Everything else is as `pg` does it: errors, time limits, pipelining.
 *
 * This relies on internals of `pg`, and only this file does. `prepared-query.store.test.ts` fails if an upgrade changes
 * them. DATABASE_DESCRIBE=on does without this class.
 */
export class PreparedQuery extends ParentQuery {
  /** Set if the rows are not described again. */
  #shape: RowShape | undefined;
  #described: RowShape = toShape([], []);

  constructor({ name, text }: { readonly name: string; readonly text: string }, values: readonly unknown[]) {
    super(text);
    this.name = name;
    this.values = values;
  }

  override submit(connection: Connection): Error | null {
    const { shapes, collector, flush } = knowledgeOf(connection);
    // Without a name it is not prepared, and the next one may have other columns.
    this.#shape = this.name === '' ? undefined : shapes.get(this.name);
    if (this.#shape === undefined) return super.submit(connection);
    const refused = super.submit(collector);
    flush();
    return refused;
  }

  override handleRowDescription(message: RowDescription): void {
    super.handleRowDescription(message);
    this.#described = toShape(message.fields, this._result._parsers ?? []);
  }

  override handleDataRow(message: DataRow): void {
    if (this.#shape === undefined) {
      super.handleDataRow(message);
      return;
    }
    try {
      this._result.rows.push(readRow(this.#shape, message.fields));
    } catch (error) {
      this._canceledDueToError = error;
    }
  }

  /** Called if the statement has succeeded. */
  override handleReadyForQuery(connection: Connection): void {
    if (this.#shape === undefined) knowledgeOf(connection).shapes.set(this.name, this.#described);
    super.handleReadyForQuery(connection);
    // See `sendPrepared`.
    this.values = [];
    this._result = noResult;
    this._results = noResult;
  }
}

const noResult = { rows: [], _parsers: undefined };

/**
 * Resolves with the rows.
 *
 * With `query_timeout`, `pg` sets a callback by `query.callback = () => …`. V8 allocates a function that is assigned to a property in
 * the old generation, so the query survives quick collections of garbage, with all that it refers to. It therefore gives up its rows
 * and parameters when it is done, and the callback gives up its promise.
 */
export async function sendPrepared<Row>(client: Pick<pg.Pool, 'query'>, query: PreparedQuery): Promise<Row[]> {
  const { promise, resolve, reject } = Promise.withResolvers<Row[]>();
  let waiting: Pick<PromiseWithResolvers<Row[]>, 'resolve' | 'reject'> | undefined = { resolve, reject };
  const settle = (error: Error | null | undefined, result?: { readonly rows: Row[] }): void => {
    const settled = waiting;
    waiting = undefined;
    if (result === undefined) settled?.reject(error ?? new Error('A query ended without a result.'));
    else settled?.resolve(result.rows);
  };
  // With a query of a class of its own, @types/pg allows no callback.
  (client as unknown as { query: (sent: PreparedQuery, callback: typeof settle) => void }).query(query, settle);
  return await promise;
}

function toShape(fields: readonly Field[], parsers: readonly Parse[]): RowShape {
  return {
    columns: fields.map(({ name }, index) => ({ name, parse: parsers[index] ?? String })),
    empty: Object.fromEntries(fields.map(({ name }) => [name, null])),
  };
}

function readRow({ columns, empty }: RowShape, values: DataRow['fields']): unknown {
  // Behind a pooler the statement may have been prepared again, after a migration.
  if (values.length !== columns.length) throw new Error('The columns of a prepared statement have changed.');
  const row = { ...empty };
  for (let index = 0; index < columns.length; index += 1) {
    const column = columns[index];
    const value = values[index];
    if (column !== undefined && typeof value === 'string') row[column.name] = column.parse(value);
  }
  return row;
}

function knowledgeOf(connection: Connection): Known {
  const known = connections.get(connection) ?? createKnowledge(connection);
  connections.set(connection, known);
  return known;
}

function createKnowledge(connection: Connection): Known {
  let taken: Buffer[] = [];
  const stream = {
    writable: true,
    write: (message: Buffer) => {
      taken.push(message);
      return true;
    },
  };
  const members = { stream: { value: stream }, describe: { value: () => undefined } };
  // It is the connection, except for these members. Object.create has no types.
  const collector = Object.create(connection, members) as Connection;
  return {
    shapes: new Map(),
    collector,
    flush: () => {
      const messages = taken;
      taken = [];
      // A broken connection fails all of its queries soon.
      if (messages.length > 0 && connection.stream.writable) connection.stream.write(Buffer.concat(messages));
    },
  };
}
