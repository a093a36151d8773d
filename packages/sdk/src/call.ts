/** Options of a single call. */
export interface CallOptions {
  /** Aborts the call, which then throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Time limit for the call and all its retries; default 60 s. */
  readonly timeLimitMs?: number | undefined;
  /**
   * Makes a write safe to repeat for a day, even after a restart of your program. By default each write gets a
   * random key, which covers the retries of that call.
   */
  readonly idempotencyKey?: string | undefined;
}

/** A list: `await` returns its first page, `for await` iterates over the records of all pages. */
export interface List<Page, Item> extends PromiseLike<Page>, AsyncIterable<Item> {
  /** Iterates over the pages, each as the API returns it. */
  pages(): AsyncIterable<Page>;
}

/** The bytes of a file. In a browser: the `File` of a form, or any `Blob`. In Node: a `Buffer`, or a `Blob`. */
export type Upload = Blob | ArrayBuffer | Uint8Array;

/** How to send a call. */
export interface CallDescription {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Repeating it with its `Idempotency-Key` has no further effect. */
  readonly writes?: true;
  /** The `next` of a response is the `cursor` of the next page. */
  readonly paged?: true;
  /** The member of the body that is the response. Absent in a proposal, which is the response itself. */
  readonly wrapper?: string;
  /** The parameters that can be given in order, without their names. */
  readonly short?: readonly string[];
  /** Parameters with only one value. */
  readonly fixed?: Readonly<Record<string, string>>;
}

/** The calls of an API. */
export interface CallTable {
  /** Before each path. */
  readonly base: string;
  /** By noun and verb. */
  readonly nouns: Readonly<Record<string, Readonly<Record<string, CallDescription>>>>;
}
