import { expect, test } from 'vitest';

import { mergeReadiness } from './merge-readiness.ts';

test('a check both servers make holds only when it holds for both', async () => {
  const merged = mergeReadiness([
    async () => [
      { name: 'database', ok: true },
      { name: 'keys', ok: true },
    ],
    async () => [
      { name: 'keys', ok: false },
      { name: 'media', ok: true },
    ],
  ]);
  expect(await merged()).toEqual([
    { name: 'database', ok: true },
    { name: 'keys', ok: false },
    { name: 'media', ok: true },
  ]);
});

test('one that throws makes the whole throw', async () => {
  const merged = mergeReadiness([async () => [], () => Promise.reject(new Error('away'))]);
  await expect(merged()).rejects.toThrow('away');
});
