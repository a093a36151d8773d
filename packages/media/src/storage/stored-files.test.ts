import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { listNames } from './stored-files.ts';

test('the names of a large folder come in batches of at most 500, and other files are ignored', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'linnet-names-'));
  const stems = Array.from({ length: 600 }, (_, index) => `ab${String(index).padStart(30, '0')}`);
  const files = stems.flatMap((stem) => [`${stem}.full.png`, `${stem}.thumb.png`]);
  for (const file of [...files, 'received', '.hidden']) await writeFile(join(folder, file), '');
  const found = new Set<string>();
  for await (const names of listNames(folder)) {
    expect(names.length).toBeLessThanOrEqual(500);
    for (const name of names) found.add(name);
  }
  expect(found).toEqual(new Set(stems.map((stem) => `${stem}.png`)));
  await rm(folder, { recursive: true });
  for await (const names of listNames(folder)) expect(names).toEqual([]);
});
