import { readFile } from 'node:fs/promises';

import { expect, test } from 'vitest';

import { callLimits, oauthLimits, registrationLimits, sharedLimits } from './limits.ts';

test('the documented limits are those of the code', async () => {
  const text = await readFile(new URL('../../../docs/api/rate-limits.md', import.meta.url), 'utf8');
  const rows = [...text.matchAll(/^\| `([a-z-]+)` \| (\d+) \| (\d+) \|/gm)];
  const documented = rows.map(([, name = '', quota, seconds]) => [name, Number(quota), Number(seconds)]);
  const limits = Object.entries({ ...callLimits, ...sharedLimits, ...registrationLimits, ...oauthLimits });
  expect(documented).toEqual(limits.map(([name, { quota, windowSeconds }]) => [name, quota, windowSeconds]));
});
