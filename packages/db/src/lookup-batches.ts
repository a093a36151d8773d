import { batchNumber } from './statement.ts';
import type { Lookup, Statement } from './statement.ts';

interface BatchOptions {
  readonly send: <Params extends readonly unknown[], Row>(
    statement: Statement<Params, Row>,
    params: Params,
  ) => Promise<Row[]>;
  /** Whether a batch that failed with this error is repeated call by call. */
  readonly isWorthRepeating: (error: unknown) => boolean;
}

/** Runs a lookup, combined with its concurrent calls. */
type LookUp = <Params extends readonly unknown[], Row>(lookup: Lookup<Params, Row>, params: Params) => Promise<Row[]>;

/** While so many batches of a lookup are under way, its calls wait for the next one. */
const maxSending = 2;
const maxBatch = 64;

/**
 * Combines concurrent calls of a lookup into one statement. The calls of one turn of the event loop are sent together,
 * and so are those that arrive while two batches are under way. A call on its own is sent as the plain statement. No
 * call sees old data: its statement is always sent after the call.
 */
export function createLookupBatches(options: BatchOptions): LookUp {
  const queues = new Map<string, unknown>();
  return async <Params extends readonly unknown[], Row>(
    lookup: Lookup<Params, Row>,
    params: Params,
  ): Promise<Row[]> => {
    const known = queues.get(lookup.name);
    // A lookup's name is unique, so the queue under its name has the types of the lookup.
    if (known !== undefined) return await (known as LookupQueue<Params, Row>).call(params);
    const queue = new LookupQueue(lookup, options);
    queues.set(lookup.name, queue);
    return await queue.call(params);
  };
}

interface Call<Params, Row> {
  readonly params: Params;
  readonly resolve: (rows: Row[]) => void;
  readonly reject: (error: unknown) => void;
}

/** The calls of one lookup. */
class LookupQueue<Params extends readonly unknown[], Row> {
  readonly #lookup: Lookup<Params, Row>;
  readonly #options: BatchOptions;
  readonly #waiting: Call<Params, Row>[] = [];
  #sending = 0;
  #isScheduled = false;

  constructor(lookup: Lookup<Params, Row>, options: BatchOptions) {
    this.#lookup = lookup;
    this.#options = options;
  }

  call(params: Params): Promise<Row[]> {
    const rows = new Promise<Row[]>((resolve, reject) => this.#waiting.push({ params, resolve, reject }));
    this.#schedule();
    return rows;
  }

  #schedule(): void {
    if (this.#isScheduled || this.#sending >= maxSending || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      void this.#send(this.#waiting.splice(0, maxBatch));
      this.#schedule();
    });
  }

  /** Never rejects: each call gets its own rows or error. */
  async #send(calls: readonly Call<Params, Row>[]): Promise<void> {
    this.#sending += 1;
    try {
      await (calls.length > 1 ? this.#sendTogether(calls) : this.#sendSingly(calls));
    } catch (error) {
      if (this.#options.isWorthRepeating(error)) await this.#sendSingly(calls);
      else for (const { reject } of calls) reject(error);
    }
    this.#sending -= 1;
    this.#schedule();
  }

  async #sendTogether(calls: readonly Call<Params, Row>[]): Promise<void> {
    const { batch, types } = this.#lookup;
    const columns = types.map((_, index) => calls.map(({ params }) => params[index]));
    const rows = new Map((await this.#options.send(batch, columns)).map((row) => [row[batchNumber], row]));
    for (const [index, { resolve }] of calls.entries()) {
      const row = rows.get(index + 1);
      resolve(row === undefined ? [] : [row]);
    }
  }

  /** Never rejects. */
  async #sendSingly(calls: readonly Call<Params, Row>[]): Promise<void> {
    await Promise.all(
      calls.map(({ params, resolve, reject }) => this.#options.send(this.#lookup, params).then(resolve, reject)),
    );
  }
}
