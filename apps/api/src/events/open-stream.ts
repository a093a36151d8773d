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
