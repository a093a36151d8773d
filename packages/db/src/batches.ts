import { takeFairly } from './fair-share.ts';
import type { Caller } from './fair-share.ts';
import { batchNumber } from './statement.ts';
import type { BatchedStatement, Statement } from './statement.ts';

interface BatchOptions {
  readonly send: <Params extends readonly unknown[], Row>(
    statement: Statement<Params, Row>,
    params: Params,
  ) => Promise<Row[]>;
  /** Whether the calls of a batch that failed with this error are sent one by one. */
  readonly isWorthRepeating: (error: unknown, statement: Pick<BatchedStatement<never, unknown>, 'writes'>) => boolean;
}

/** Runs a batched statement, combined with its concurrent calls. `caller`: see `Db.onBehalfOf`. */
type CallBatched = <Params extends readonly unknown[], Row>(
  statement: BatchedStatement<Params, Row>,
  params: Params,
  caller: Caller,
) => Promise<Row[]>;

/** While so many batches of a statement are under way, its calls wait for the next one. */
const maxSending = 2;
const maxBatch = 64;

/**
 * Combines concurrent calls of a statement. The calls of one turn of the event loop are sent together, and so are those
 * that arrive while two batches are under way. A call on its own is sent as the plain statement, and equal reads of a
 * batch are sent once. No call sees old data: its statement is always sent after the call. If more calls wait than a batch holds, every caller gets an equal share
 * of it, so a caller with many calls delays others by one batch at most.
 */
export function createBatches(options: BatchOptions): CallBatched {
  const queues = new Map<string, unknown>();
  return async <Params extends readonly unknown[], Row>(
    statement: BatchedStatement<Params, Row>,
    params: Params,
    caller: Caller,
  ): Promise<Row[]> => {
    const known = queues.get(statement.name);
    // A statement's name is unique, so the queue under its name has the types of the statement.
    if (known !== undefined) return await (known as BatchQueue<Params, Row>).call(params, caller);
    const queue = new BatchQueue(statement, options);
    queues.set(statement.name, queue);
    return await queue.call(params, caller);
  };
}

interface Call<Params, Row> {
  readonly params: Params;
  readonly caller: Caller;
  readonly resolve: (rows: Row[]) => void;
  readonly reject: (error: unknown) => void;
}

interface Numbered<Params, Row> {
  readonly different: readonly Call<Params, Row>[];
  /** For each call: which of the different ones it equals, from 1. */
  readonly numbers: readonly number[];
}

function eachOnItsOwn<Params, Row>(calls: readonly Call<Params, Row>[]): Numbered<Params, Row> {
  return { different: calls, numbers: calls.map((_, index) => index + 1) };
}

/** Concurrent reads with the same parameters are sent once, and get the same row objects. */
function findEqualCalls<Params, Row>(calls: readonly Call<Params, Row>[]): Numbered<Params, Row> {
  const known = new Map<string, number>();
  const different: Call<Params, Row>[] = [];
  const numbers = calls.map((call) => {
    const key = JSON.stringify(call.params);
    const number = known.get(key) ?? different.push(call);
    known.set(key, number);
    return number;
  });
  return { different, numbers };
}

/** The calls of one statement. */
class BatchQueue<Params extends readonly unknown[], Row> {
  readonly #statement: BatchedStatement<Params, Row>;
  readonly #options: BatchOptions;
  #waiting: Call<Params, Row>[] = [];
  #sending = 0;
  #isScheduled = false;

  constructor(statement: BatchedStatement<Params, Row>, options: BatchOptions) {
    this.#statement = statement;
    this.#options = options;
  }

  call(params: Params, caller: Caller): Promise<Row[]> {
    const rows = new Promise<Row[]>((resolve, reject) => this.#waiting.push({ params, caller, resolve, reject }));
    this.#schedule();
    return rows;
  }

  #schedule(): void {
    if (this.#isScheduled || this.#sending >= maxSending || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      const { taken, left } = takeFairly(this.#waiting, maxBatch);
      this.#waiting = left;
      void this.#send(taken);
      this.#schedule();
    });
  }

  /** Never rejects: each call gets its own rows or error. */
  async #send(calls: readonly Call<Params, Row>[]): Promise<void> {
    this.#sending += 1;
    const failure = await (calls.length > 1 ? this.#sendTogether(calls) : this.#sendSingly(calls)).then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    this.#sending -= 1;
    this.#schedule();
    if (failure === undefined) return;
    if (this.#options.isWorthRepeating(failure.error, this.#statement)) await this.#sendSingly(calls);
    else for (const { reject } of calls) reject(failure.error);
  }

  async #sendTogether(calls: readonly Call<Params, Row>[]): Promise<void> {
    const { batch, parameters, writes } = this.#statement;
    const { different, numbers } = writes ? eachOnItsOwn(calls) : findEqualCalls(calls);
    const [only, ...others] = different;
    if (only !== undefined && others.length === 0) {
      const found = await this.#options.send(this.#statement, only.params);
      for (const { resolve } of calls) resolve(found);
      return;
    }
    const columns = Array.from({ length: parameters }, (_, index) => different.map(({ params }) => params[index]));
    const rows = new Map((await this.#options.send(batch, columns)).map((row) => [row[batchNumber], row]));
    for (const [index, { resolve }] of calls.entries()) {
      const row = rows.get(numbers[index] ?? 0);
      resolve(row === undefined ? [] : [row]);
    }
  }

  /** Never rejects. */
  async #sendSingly(calls: readonly Call<Params, Row>[]): Promise<void> {
    await Promise.all(
      calls.map(({ params, resolve, reject }) => this.#options.send(this.#statement, params).then(resolve, reject)),
    );
  }
}
