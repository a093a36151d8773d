import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { isOlder } from './stored-files.ts';

test('a file that was moved just now is 0 ms old, even within the same millisecond', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'linnet-age-'));
  const ages: boolean[] = [];
  await writeFile(join(directory, '0'), '');
  for (let move = 0; move < 300; move += 1) {
    await rename(join(directory, String(move)), join(directory, String(move + 1)));
    ages.push(await isOlder(join(directory, String(move + 1)), 0));
  }
  await rm(directory, { recursive: true });
  expect(ages).not.toContain(false);
});
