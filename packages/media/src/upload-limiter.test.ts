import { expect, test } from 'vitest';

import { createUploadLimiter } from './upload-limiter.ts';

test('Details 13 MD3 limits concurrent uploads of an account, and admits the next one when one has finished', () => {
  const limiter = createUploadLimiter({ concurrent: 2, perHour: 100 });
  const first = limiter.acquire(1);
  limiter.acquire(1);
  expect(() => limiter.acquire(1)).toThrow(expect.objectContaining({ retryAfterSeconds: 1 }));
  limiter.acquire(2);
  first[Symbol.dispose]();
  limiter.acquire(1);
});

test('MD3 limits uploads per hour, and admits more in the next hour', () => {
  let now = 0;
  const limiter = createUploadLimiter({ concurrent: 10, perHour: 3 }, () => now);
  for (let count = 0; count < 3; count += 1) limiter.acquire(1)[Symbol.dispose]();
  now = 3_000_000;
  expect(() => limiter.acquire(1)).toThrow(expect.objectContaining({ retryAfterSeconds: 600 }));
  now = 3_600_000;
  limiter.acquire(1);
});
