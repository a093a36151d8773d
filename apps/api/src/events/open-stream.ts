import type { ServerResponse } from 'node:http';

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
  readonly #response: ServerResponse;

  constructor(options: StreamOptions, response: ServerResponse, position: number) {
    this.options = options;
    this.#response = response;
    this.position = position;
  }

  get isOpen(): boolean {
    return !this.#response.writableEnded && !this.#response.destroyed;
  }

  write(text: string): void {
    if (text === '' || !this.isOpen) return;
    this.#response.write(text);
    if (this.#response.writableLength > maxWaitingBytes) this.#response.destroy();
  }

  /** Resolves when the client has read what was written, or is gone. */
  async drained(): Promise<void> {
    const response = this.#response;
    if (!this.isOpen || !response.writableNeedDrain) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    response.once('drain', resolve);
    response.once('close', resolve);
    await promise;
    response.off('drain', resolve);
    response.off('close', resolve);
  }

  /** Sends a last text, and ends. A client that reads nothing is cut off. */
  end(lastText = ''): void {
    if (!this.isOpen) return;
    if (this.#response.writableNeedDrain) this.#response.destroy();
    else this.#response.end(lastText);
  }
}
