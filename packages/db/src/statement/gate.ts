/*
 * The gate in front of the pool. Statements that lock the same row run one after the other, however many connections they
 * hold while they wait. So of those that name a row (`Statement.locks`), a process has at most two under way: one that
 * works, and one that waits in PostgreSQL and follows at once. The others wait here, without a connection.
 */

import { DatabaseBusy } from '../connection/database-error.ts';

const maxWithin = 2;
const minRemembered = 1000;
/** Longer than for a connection: those who wait here delay nobody else. */
const maxWaitMs = 5000;

/** Leaves the gate again. Call it once. */
export type Leave = () => void;

interface Row {
  within: number;
  readonly waiting: Visitor[];
}

interface Visitor {
  readonly rows: readonly Row[];
  readonly admit: () => void;
}

export class Gate {
  /** The rows for which somebody is within or waits, and others that are forgotten together. */
  readonly #rows = new Map<string, Row>();
  #maxRows = minRemembered;

  /** Enters for all rows, or for none: `undefined` if two are within for one of them, or others wait for it. */
  tryEnter(names: readonly string[]): Leave | undefined {
    const rows = this.#find(names);
    return rows.every((row) => hasPlace(row) && row.waiting.length === 0) ? this.#take(rows) : undefined;
  }

  /** Enters for all rows at once, after those who came earlier for one of them. @throws DatabaseBusy after five seconds */
  async enter(names: readonly string[]): Promise<Leave> {
    return this.tryEnter(names) ?? (await this.#wait(names));
  }

  /** Runs `work` within. @throws DatabaseBusy */
  async run<Result>(names: readonly string[], work: () => Promise<Result>): Promise<Result> {
    const leave = this.tryEnter(names) ?? (await this.#wait(names));
    try {
      return await work();
    } finally {
      leave();
    }
  }

  #find(names: readonly string[]): readonly Row[] {
    // Before any row is looked up, so that none is forgotten that the caller is about to use.
    if (this.#rows.size >= this.#maxRows) this.#forget();
    return names.map((name) => {
      const known = this.#rows.get(name);
      if (known !== undefined) return known;
      const row = { within: 0, waiting: [] };
      this.#rows.set(name, row);
      return row;
    });
  }

  /**
   * Not after every statement: the table of a `Map` that loses as many entries as it gets survives the quick collections of
   * garbage, and keeps what it held.
   */
  #forget(): void {
    for (const [name, { within, waiting }] of this.#rows) {
      if (within === 0 && waiting.length === 0) this.#rows.delete(name);
    }
    this.#maxRows = Math.max(minRemembered, 2 * this.#rows.size);
  }

  #take(rows: readonly Row[]): Leave {
    for (const row of rows) row.within += 1;
    return () => {
      for (const row of rows) row.within -= 1;
      admitNext(rows);
    };
  }

  #wait(names: readonly string[]): Promise<Leave> {
    const rows = this.#find(names);
    return new Promise((resolve, reject) => {
      const admit = () => {
        clearTimeout(timeout);
        stopWaiting(visitor);
        resolve(this.#take(rows));
      };
      const visitor = { rows, admit };
      const timeout = setTimeout(() => {
        stopWaiting(visitor);
        admitNext(rows);
        reject(new DatabaseBusy('Too many others were waiting to change the same row.'));
      }, maxWaitMs);
      for (const row of rows) row.waiting.push(visitor);
    });
  }
}

function hasPlace({ within }: Row): boolean {
  return within < maxWithin;
}

function stopWaiting(visitor: Visitor): void {
  for (const { waiting } of visitor.rows) waiting.splice(waiting.indexOf(visitor), 1);
}

/**
 * Admits those who are first for each of their rows, while there is place. Everybody joins all of their queues at the
 * same time, so those who have waited longest are first in all of them, and nobody waits for ever.
 */
function admitNext(rows: readonly Row[]): void {
  for (const row of rows) {
    for (;;) {
      const [first] = row.waiting;
      if (first?.rows.every((one) => hasPlace(one) && one.waiting[0] === first) !== true) break;
      first.admit();
      admitNext(first.rows.filter((one) => one !== row));
    }
  }
}

/** A transaction may not wait at the gate, since it holds a connection and perhaps locks. It starts again after waiting. */
export class RowsOccupied extends Error {
  override readonly name = 'RowsOccupied';
  /** The rows that the transaction needs, as far as it got. */
  readonly rows: readonly string[];

  constructor(rows: readonly string[]) {
    super('The transaction has to wait for its rows at the gate.');
    this.rows = rows;
  }
}

/** The stay of one transaction within the gate. */
export class Visit {
  readonly #gate: Gate;
  readonly #rows = new Set<string>();
  readonly #leaves: Leave[] = [];
  #refusal: RowsOccupied | undefined;

  constructor(gate: Gate) {
    this.#gate = gate;
  }

  /** Waits for the rows that the transaction is known to need, before it begins. @throws DatabaseBusy */
  async wait(rows: readonly string[]): Promise<void> {
    this.#leaves.push(await this.#gate.enter(rows));
    for (const row of rows) this.#rows.add(row);
  }

  /** Enters for more rows. @throws RowsOccupied, and again from `check` */
  add(rows: readonly string[]): void {
    const missing = rows.filter((row) => !this.#rows.has(row));
    if (missing.length === 0) return;
    const leave = this.#gate.tryEnter(missing);
    for (const row of missing) this.#rows.add(row);
    if (leave === undefined) this.#refusal = new RowsOccupied([...this.#rows]);
    else this.#leaves.push(leave);
    this.check();
  }

  /** @throws RowsOccupied if `add` did, even if its error was caught since */
  check(): void {
    if (this.#refusal !== undefined) throw this.#refusal;
  }

  leave(): void {
    for (const leave of this.#leaves) leave();
  }
}

/** An account or an application; see `Db.onBehalfOf`. */
export type Caller = string | number | undefined;

/**
 * Takes up to `count` calls: the first call of each caller, then the second of each, and so on. Those taken, and those
 * left, stay in the order in which they came.
 */
export function takeFairly<One extends { readonly caller: Caller }>(
  waiting: One[],
  count: number,
): { readonly taken: readonly One[]; readonly left: One[] } {
  if (waiting.length <= count) return { taken: waiting, left: [] };
  const calls = new Map<Caller, number>();
  const turns = waiting.map(({ caller }) => {
    const turn = calls.get(caller) ?? 0;
    calls.set(caller, turn + 1);
    return turn;
  });
  const order = [...turns.keys()].toSorted((one, other) => (turns[one] ?? 0) - (turns[other] ?? 0) || one - other);
  const chosen = new Set(order.slice(0, count));
  return {
    taken: waiting.filter((_, index) => chosen.has(index)),
    left: waiting.filter((_, index) => !chosen.has(index)),
  };
}
