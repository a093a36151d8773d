import { expect, test } from 'vitest';

import { ApiError, AuthorizationError, ConnectionError } from './errors.ts';
import { withRetries } from './retry.ts';
import type { Limits } from './retry.ts';

const limits: Limits = { timeLimitMs: 5000, tryLimitMs: 5000, tries: 5 };

function problem(code: string, status: number, retryAfterSeconds?: number): ApiError {
  return new ApiError({ code, title: code }, { status, retryAfterSeconds });
}

/** Fails with each of `errors`, then succeeds. */
function failing(...errors: readonly Error[]) {
  const at: number[] = [];
  const work = async () => {
    at.push(Date.now());
    const error = errors[at.length - 1];
    if (error !== undefined) throw error;
    return await Promise.resolve('done');
  };
  return { work, waits: () => at.slice(1).map((time, index) => time - (at[index] ?? 0)), tries: () => at.length };
}

test.each([
  new ConnectionError('no-answer', 'x'),
  problem('unavailable', 503),
  problem('idempotency-in-progress', 409),
  problem('unexpected-answer', 502),
  new AuthorizationError('temporarily_unavailable', 'x', { status: 503 }),
])('retries a temporary failure (%s)', async (error) => {
  const { work, tries } = failing(error);
  expect(await withRetries(work, limits)).toBe('done');
  expect(tries()).toBe(2);
});

test.each([problem('not-found', 404), problem('internal-error', 500), problem('email-taken', 409), new TypeError('x')])(
  'does not retry a permanent failure (%s)',
  async (error) => {
    const { work, tries } = failing(error);
    await expect(withRetries(work, limits)).rejects.toBe(error);
    expect(tries()).toBe(1);
  },
);

test('waits for Retry-After', async () => {
  const { work, waits } = failing(problem('rate-limited', 429, 1));
  await withRetries(work, limits);
  expect(waits()[0]).toBeGreaterThanOrEqual(995);
});

test('gives up when the wait would exceed the time limit', async () => {
  const error = problem('rate-limited', 429, 600);
  const { work, tries } = failing(error);
  await expect(withRetries(work, limits)).rejects.toBe(error);
  expect(tries()).toBe(1);
});

test('waits longer each time, and throws the last error', async () => {
  const errors = ['first', 'second', 'third'].map((text) => new ConnectionError('no-answer', text));
  const { work, waits, tries } = failing(...errors);
  await expect(withRetries(work, { ...limits, tries: 3 })).rejects.toBe(errors[2]);
  expect(tries()).toBe(3);
  const [first = 0, second = 0] = waits();
  expect(first).toBeGreaterThanOrEqual(195);
  expect(second).toBeGreaterThanOrEqual(395);
});

test('limits the time of each try and of all tries together', async () => {
  let tries = 0;
  const hang = async (signal: AbortSignal) => {
    tries += 1;
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    throw new ConnectionError('timed-out', 'x');
  };
  const before = Date.now();
  await expect(withRetries(hang, { timeLimitMs: 2000, tryLimitMs: 100, tries: 10_000 })).rejects.toThrow(
    ConnectionError,
  );
  expect(Date.now() - before).toBeLessThan(50_000);
  expect(tries).toBeGreaterThan(1);
});

test('the signal of the caller ends a wait at once with its reason', async () => {
  const { work, tries } = failing(problem('rate-limited', 429, 60));
  const controller = new AbortController();
  const reason = new Error('changed my mind');
  setTimeout(() => controller.abort(reason), 50);
  const patient = { ...limits, timeLimitMs: 3_600_000, signal: controller.signal };
  await expect(withRetries(work, patient)).rejects.toBe(reason);
  expect(tries()).toBe(1);
});
