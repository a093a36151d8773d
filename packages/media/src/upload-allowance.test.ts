import { expect, test } from 'vitest';

import { createUploadAllowance } from './upload-allowance.ts';

test('MD3 so many at once, and a place is free again when its upload ends', () => {
  const allowance = createUploadAllowance({ atOnce: 2, perHour: 100 });
  const first = allowance.enter(1);
  allowance.enter(1);
  expect(() => allowance.enter(1)).toThrow(expect.objectContaining({ retryAfterSeconds: 1 }));
  allowance.enter(2);
  first[Symbol.dispose]();
  allowance.enter(1);
});

test('MD3 so many an hour, then the next hour', () => {
  let now = 0;
  const allowance = createUploadAllowance({ atOnce: 10, perHour: 3 }, () => now);
  for (let count = 0; count < 3; count += 1) allowance.enter(1)[Symbol.dispose]();
  now = 3_000_000;
  expect(() => allowance.enter(1)).toThrow(expect.objectContaining({ retryAfterSeconds: 600 }));
  now = 3_600_000;
  allowance.enter(1);
});
