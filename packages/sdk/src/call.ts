/** What can be said about a single call, besides its parameters. */
export interface CallOptions {
  /** Ends the call; it fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** How long the call may take with all its retries; 60 s when left out. */
  readonly timeLimitMs?: number | undefined;
  /**
   * Makes a write safe to repeat, for a day and across restarts of your program. When left out each write gets
   * a random one, which covers the retries of this call.
   */
  readonly idempotencyKey?: string | undefined;
}

/** A list: `await` gives its first page, `for await` every record of every page. */
export interface List<Page, Item> extends PromiseLike<Page>, AsyncIterable<Item> {
  /** Page after page, each as the API answers it. */
  pages(): AsyncIterable<Page>;
}

/** How a call is sent. */
export interface CallDescription {
  readonly method: 'GET' | 'POST';
  /** Below /api/v2.0. */
  readonly path: string;
  readonly writes?: true;
  /** Answers have `next`, which is the `cursor` of the page that follows. */
  readonly paged?: true;
  /** Parameters with only one value. */
  readonly fixed?: Readonly<Record<string, string>>;
}
