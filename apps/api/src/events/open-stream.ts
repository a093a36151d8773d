import type { Writable } from 'node:stream';

import type { RevocableToken } from '@linnet/revocations/revocable-token';

/** What a stream was opened with. */
export interface StreamOptions {
  readonly accountId: number;
  readonly clientId: string;
  readonly token: RevocableToken;
  /** Of the token, in seconds since 1970. */
  readonly expiresAt: number;
  /** A sum of `streamBits`. */
  readonly streams: number;
  /** Whether the token may read follows. */
  readonly hasFollows: boolean;
  /** Which proposals the token may read: none, those of its application, or all of the account. */
  readonly readsDrafts: 'none' | 'own' | 'all';
}

/**
 * A client that reads slower than events arrive gets this much, in bytes, besides what the connection holds. Then its stream ends, and
 * it continues with the last id that it got.
 */
const maxWaitingBytes = 131_072;

/** One open stream. */
export class OpenStream {
  readonly options: StreamOptions;
  /** All events up to here were sent, or do not concern the account. */
  position: number;
  /** Whether the reader of the process sends to it; before, it is sent what it missed. */
  isLive = false;
  /** When the next sign of life is due, in milliseconds of the monotonic clock. */
  nextBeatAt = 0;
  /** A connection, or a response that could not be separated from its request. */
  readonly #connection: Writable;

  constructor(options: StreamOptions, connection: Writable, position: number) {
    this.options = options;
    this.#connection = connection;
    this.position = position;
  }

  get isOpen(): boolean {
    return !this.#connection.writableEnded && !this.#connection.destroyed;
  }

  write(text: string): void {
    if (text === '' || !this.isOpen) return;
    this.#connection.write(text);
    if (this.#connection.writableLength > maxWaitingBytes) this.#connection.destroy();
  }

  /** Resolves when the client has read what was written, or is gone. */
  async drained(): Promise<void> {
    const connection = this.#connection;
    if (!this.isOpen || !connection.writableNeedDrain) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    connection.once('drain', resolve);
    connection.once('close', resolve);
    await promise;
    connection.off('drain', resolve);
    connection.off('close', resolve);
  }

  /** Sends a last text, and ends. A client that reads nothing is cut off. */
  end(lastText = ''): void {
    if (!this.isOpen) return;
    if (this.#connection.writableNeedDrain) this.#connection.destroy();
    else this.#connection.end(lastText);
  }
}

/** The open streams of a process. */
export interface StreamList extends Iterable<OpenStream> {
  readonly size: number;
  add(stream: OpenStream): void;
  remove(stream: OpenStream): void;
  /** Those of an account. */
  of(accountId: number): readonly OpenStream[];
  /** Each account with a stream once; the same list until it changes. */
  accounts(): readonly number[];
  /** Why another stream may not be opened. */
  findRefusal(options: Pick<StreamOptions, 'accountId' | 'clientId'>): Refusal | undefined;
}

export type Refusal = 'person' | 'application' | 'process';

/** Open streams in a process. Each takes about 10 KB (docs/evidence/performance.md). */
export const streamLimits: Readonly<Record<Refusal, number>> = { person: 10, application: 10_000, process: 20_000 };

export function createStreamList(limits: Readonly<Record<Refusal, number>> = streamLimits): StreamList {
  const all = new Set<OpenStream>();
  const byAccount = new Map<number, OpenStream[]>();
  const byApplication = new Map<string, number>();
  let accounts: readonly number[] | undefined;
  const ofAccount = (accountId: number) => byAccount.get(accountId) ?? [];

  return {
    get size() {
      return all.size;
    },
    [Symbol.iterator]: () => all[Symbol.iterator](),
    add: (stream) => {
      const { accountId, clientId } = stream.options;
      all.add(stream);
      const own = byAccount.get(accountId);
      if (own === undefined) accounts = undefined;
      byAccount.set(accountId, [...(own ?? []), stream]);
      byApplication.set(clientId, (byApplication.get(clientId) ?? 0) + 1);
    },
    remove: (stream) => {
      const { accountId, clientId } = stream.options;
      if (!all.delete(stream)) return;
      const others = ofAccount(accountId).filter((one) => one !== stream);
      if (others.length > 0) byAccount.set(accountId, others);
      else if (byAccount.delete(accountId)) accounts = undefined;
      const left = (byApplication.get(clientId) ?? 1) - 1;
      if (left > 0) byApplication.set(clientId, left);
      else byApplication.delete(clientId);
    },
    of: ofAccount,
    accounts: () => (accounts ??= [...byAccount.keys()]),
    findRefusal: ({ accountId, clientId }) => {
      const ofPerson = ofAccount(accountId).filter(({ options }) => options.clientId === clientId).length;
      if (ofPerson >= limits.person) return 'person';
      if ((byApplication.get(clientId) ?? 0) >= limits.application) return 'application';
      return all.size >= limits.process ? 'process' : undefined;
    },
  };
}
