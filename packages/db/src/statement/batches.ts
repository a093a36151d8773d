import { takeFairly } from './gate.ts';
import type { Caller, Gate, Leave } from './gate.ts';
import { batchNumber, toIdList } from './statement.ts';
import type { BatchedStatement, Statement } from './statement.ts';

interface BatchOptions {
  readonly gate: Gate;
  /** Sends a statement, whether or not the gate has been passed. */
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
/** How long calls wait to become as many as those under way, in milliseconds: longer than most statements take. */
const maxPatienceMs = 10;
const maxBatch = 64;

/**
 * Combines concurrent calls of a statement. The calls of one turn of the event loop are sent together, and so are those
 * that arrive while two batches are under way, or one of more calls than they are. A call on its own is sent as the plain
 * statement, and equal reads of a batch are sent once. No call sees old data: its statement is always sent after the call. If more calls wait than a
 * batch holds, every caller gets an equal share of it, so a caller with many calls delays others by one batch at most.
 * A batch passes the gate once for each row that its calls lock. Calls that lock an occupied row wait for their turn and
 * delay no others.
 */
export function createBatches(options: BatchOptions): CallBatched {
  const queues = new Map<string, unknown>();
  return <Params extends readonly unknown[], Row>(
    statement: BatchedStatement<Params, Row>,
    params: Params,
    caller: Caller,
  ): Promise<Row[]> => {
    const known = queues.get(statement.name);
    // A statement's name is unique, so the queue under its name has the types of the statement.
    if (known !== undefined) return (known as BatchQueue<Params, Row>).call(params, caller);
    const queue = new BatchQueue(statement, options);
    queues.set(statement.name, queue);
    return queue.call(params, caller);
  };
}

interface Call<Params, Row> {
  readonly params: Params;
  readonly caller: Caller;
  /** The row that it locks. */
  readonly row: string | undefined;
  readonly resolve: (rows: Row[]) => void;
  readonly reject: (error: unknown) => void;
}

/** What is sent for the calls of a batch. */
interface Numbered {
  readonly different: readonly (readonly unknown[])[];
  /** For each call: which of the different ones it equals, from 1. */
  readonly numbers: readonly number[];
}

type ParamsOnly = Pick<Call<readonly unknown[], never>, 'params'>;

function eachOnItsOwn(calls: readonly ParamsOnly[]): Numbered {
  return { different: calls.map(({ params }) => params), numbers: calls.map((_, index) => index + 1) };
}

/** Concurrent reads with the same parameters are sent once, and get the same row objects. */
function findEqualCalls(calls: readonly ParamsOnly[], gathersIds: boolean): Numbered {
  const groups = new Map<string, { readonly number: number; readonly members: (readonly unknown[])[] }>();
  const numbers = calls.map(({ params }) => {
    const key = JSON.stringify(gathersIds ? params.slice(0, -1) : params);
    const group = groups.get(key) ?? { number: groups.size + 1, members: [] };
    if (group.members.push(params) === 1) groups.set(key, group);
    return group.number;
  });
  const different = [...groups.values()].map(({ members }) =>
    gathersIds ? withIdsOfAll(members) : (members[0] ?? []),
  );
  return { different, numbers };
}

/** The parameters of calls that differ only in their last one, a list of ids; see `gatherIds`. */
function withIdsOfAll(calls: readonly (readonly unknown[])[]): readonly unknown[] {
  const ids = calls.flatMap((params) => String(params.at(-1)).slice(1, -1).split(','));
  const different = new Set(ids.filter((id) => id !== '').map(Number));
  return [...(calls[0] ?? []).slice(0, -1), toIdList([...different])];
}

/** Calls that are sent together, and the places within the gate that they share. */
interface Batch<Params, Row> {
  readonly calls: readonly Call<Params, Row>[];
  readonly leaves: readonly Leave[];
}

/** The calls of one statement. */
class BatchQueue<Params extends readonly unknown[], Row> {
  readonly #statement: BatchedStatement<Params, Row>;
  readonly #options: BatchOptions;
  readonly #places: Places;
  #waiting: Call<Params, Row>[] = [];
  #sending = 0;
  /** The number of calls of the batch that was sent last. */
  #lastSent = 0;
  #isScheduled = false;
  /** Set while calls wait to become as many as those under way. */
  #patience: NodeJS.Timeout | undefined;

  constructor(statement: BatchedStatement<Params, Row>, options: BatchOptions) {
    this.#statement = statement;
    this.#options = options;
    this.#places = new Places(options.gate, (row, error) => this.#resume(row, error));
  }

  call(params: Params, caller: Caller): Promise<Row[]> {
    const row = this.#statement.locks?.(params)[0];
    const rows = new Promise<Row[]>((resolve, reject) => this.#waiting.push({ params, caller, row, resolve, reject }));
    this.#schedule();
    return rows;
  }

  #schedule(): void {
    if (this.#isScheduled || this.#sending >= maxSending || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      if (this.#isTooSmall()) this.#patience ??= setTimeout(() => this.#start(), maxPatienceMs);
      else this.#start();
    });
  }

  /** A second batch costs as much to start as the first, so it is worth it only for as many calls. */
  #isTooSmall(): boolean {
    return this.#sending > 0 && this.#waiting.length < this.#lastSent;
  }

  #start(): void {
    clearTimeout(this.#patience);
    this.#patience = undefined;
    if (this.#sending >= maxSending) return;
    const batch = this.#take();
    if (batch.calls.length === 0) return;
    void this.#send(batch);
    this.#schedule();
  }

  /** Takes the calls of the next batch out of the queue. */
  #take(): Batch<Params, Row> {
    const free = this.#waiting.filter(({ row }) => row === undefined || !this.#places.isAwaited(row));
    const leaves = new Map<string, Leave>();
    const calls = takeFairly(free, this.#statement.maxCalls ?? maxBatch).taken.filter(({ row }) => {
      if (row === undefined || leaves.has(row)) return true;
      const leave = this.#places.take(row);
      if (leave !== undefined) leaves.set(row, leave);
      return leave !== undefined;
    });
    const taken = new Set(calls);
    this.#waiting = this.#waiting.filter((call) => !taken.has(call));
    return { calls, leaves: [...leaves.values()] };
  }

  /** A place is free for a row, or, with an error, its calls have waited too long. */
  #resume(row: string, error?: unknown): void {
    if (error !== undefined) {
      const failed = this.#waiting.filter((call) => call.row === row);
      this.#waiting = this.#waiting.filter((call) => call.row !== row);
      for (const { reject } of failed) reject(error);
    }
    this.#schedule();
  }

  /** Never rejects: each call gets its own rows or error. */
  async #send({ calls, leaves }: Batch<Params, Row>): Promise<void> {
    this.#sending += 1;
    this.#lastSent = calls.length;
    const failure = await this.#sendTogether(calls).then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    this.#sending -= 1;
    for (const leave of leaves) leave();
    this.#schedule();
    if (failure === undefined) return;
    const isRepeated = calls.length > 1 && this.#options.isWorthRepeating(failure.error, this.#statement);
    for (const call of calls) {
      if (isRepeated) void this.#repeat(call);
      else call.reject(failure.error);
    }
  }

  async #sendTogether(calls: readonly Call<Params, Row>[]): Promise<void> {
    const { batch, parameters, writes, gathersIds = false } = this.#statement;
    const { different, numbers } = writes ? eachOnItsOwn(calls) : findEqualCalls(calls, gathersIds);
    const [only, ...others] = different;
    if (only !== undefined && others.length === 0) {
      // Either those of a call, or of several that differ in a list of ids: it has the types of the statement.
      const found = await this.#options.send(this.#statement, only as Params);
      for (const { resolve } of calls) resolve(found);
      return;
    }
    const columns = Array.from({ length: parameters }, (_, index) => different.map((params) => params[index]));
    const rows = new Map((await this.#options.send(batch, columns)).map((row) => [row[batchNumber], row]));
    for (const [index, { resolve }] of calls.entries()) {
      const row = rows.get(numbers[index] ?? 0);
      resolve(row === undefined ? [] : [row]);
    }
  }

  /** Sends a call of a failed batch on its own. Never rejects. */
  async #repeat({ params, row, resolve, reject }: Call<Params, Row>): Promise<void> {
    const send = async () => await this.#options.send(this.#statement, params);
    await this.#options.gate.run(row === undefined ? [] : [row], send).then(resolve, reject);
  }
}

/** The places within the gate that the calls of a statement wait for: one for each row, whose calls can share it. */
class Places {
  readonly #gate: Gate;
  readonly #resume: (row: string, error?: unknown) => void;
  readonly #awaited = new Set<string>();
  readonly #reached = new Map<string, Leave>();

  /** `resume` is called when a place that `take` did not find can be taken, or with an error if it cannot. */
  constructor(gate: Gate, resume: (row: string, error?: unknown) => void) {
    this.#gate = gate;
    this.#resume = resume;
  }

  isAwaited(row: string): boolean {
    return this.#awaited.has(row);
  }

  /** `undefined`: the place is awaited, now at the latest. */
  take(row: string): Leave | undefined {
    if (this.#awaited.has(row)) return undefined;
    const leave = this.#reached.get(row) ?? this.#gate.tryEnter([row]);
    this.#reached.delete(row);
    if (leave === undefined) void this.#wait(row);
    return leave;
  }

  async #wait(row: string): Promise<void> {
    this.#awaited.add(row);
    try {
      this.#reached.set(row, await this.#gate.enter([row]));
      this.#awaited.delete(row);
      this.#resume(row);
    } catch (error) {
      this.#awaited.delete(row);
      this.#resume(row, error);
    }
  }
}
