import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { ImageRefused, createDecoder } from './decoder.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'linnet-isolation-'));
});
afterAll(async () => {
  await rm(directory, { recursive: true });
});

test('the process reads neither DATA_DIR nor the environment of its parent, and starts no process', async () => {
  const dataDir = join(directory, 'data');
  const drafts = join(dataDir, 'drafts');
  await mkdir(drafts, { recursive: true });
  await writeFile(join(dataDir, 'secret-keys'), 'secret');
  const report = join(drafts, 'report');
  const thief = join(directory, 'thief.mjs');
  await writeFile(
    thief,
    `
    import { spawnSync } from 'node:child_process';
    import { readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
    import { Worker } from 'node:worker_threads';
    const attempt = (work) => { try { return String(work()); } catch ({ code }) { return code; } };
    const attacks = {
      file: () => readFileSync('${join(dataDir, 'secret-keys')}'),
      traversal: () => readFileSync('${drafts}/../secret-keys'),
      list: () => readdirSync('${dataDir}'),
      link: () => { symlinkSync('${join(dataDir, 'secret-keys')}', '${drafts}/link'); return readFileSync('${drafts}/link'); },
      environment: () => readFileSync('/proc/' + process.ppid + '/environ'),
      write: () => writeFileSync('${join(dataDir, 'planted')}', ''),
      process: () => spawnSync('cat', ['${join(dataDir, 'secret-keys')}']).error ?? 'started',
      thread: () => new Worker('1', { eval: true }),
    };
    process.on('message', () => {
      const found = Object.entries(attacks).map(([name, work]) => [name, attempt(work)]);
      writeFileSync('${report}', JSON.stringify(Object.fromEntries(found)));
      process.send({ problem: 'image', detail: '' });
    });
    process.send('ready');`,
  );
  await using own = createDecoder({ dataDir, jobFiles: join(drafts, '*'), script: thief });
  const outputs = { full: join(drafts, 'full'), display: join(drafts, 'display'), thumb: join(drafts, 'thumb') };
  await expect(own.decode({ source: report, outputs })).rejects.toThrow(ImageRefused);
  const found: unknown = JSON.parse(await readFile(report, 'utf8'));
  const names = ['file', 'traversal', 'list', 'link', 'environment', 'write', 'process', 'thread'];
  expect(found).toEqual(Object.fromEntries(names.map((name) => [name, 'ERR_ACCESS_DENIED'])));
});
