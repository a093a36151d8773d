import { Redis } from 'ioredis';

const connectTimeoutMs = 1000;
/** Longer than any command takes on a healthy network. Nobody waits for a command longer than this. */
const commandTimeoutMs = 250;
/** The connection is replaced if it has not responded to a command for this time. */
const silentMs = 1000;
const longestPauseMs = 1000;

/**
 * Connects to the server of CACHE_URL, again and again if need be. A command fails at once while there is no connection,
 * and is never sent again: a request must not wait for the cache.
 */
export function connectCache(url: string): Redis {
  return new Redis(url, {
    connectTimeout: connectTimeoutMs,
    commandTimeout: commandTimeoutMs,
    socketTimeout: silentMs,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempts) => Math.min(100 * attempts, longestPauseMs),
  });
}
