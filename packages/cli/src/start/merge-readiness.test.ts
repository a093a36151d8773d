import { expect, test } from 'vitest';

import { mergeReadiness } from './both-servers.ts';

test('a check of both servers passes only if it passes for both', async () => {
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

test('a failed check keeps its reason, whichever server found it', async () => {
  const failed = { name: 'writes', ok: false, isOptional: true, reason: 'disk-full' };
  const passed = { name: 'writes', ok: true, isOptional: true };
  expect(await mergeReadiness([async () => [failed], async () => [passed]])()).toEqual([failed]);
  expect(await mergeReadiness([async () => [passed], async () => [failed]])()).toEqual([failed]);
});

test('an error in one server is thrown', async () => {
  const merged = mergeReadiness([async () => [], () => Promise.reject(new Error('unreachable'))]);
  await expect(merged()).rejects.toThrow('unreachable');
});
