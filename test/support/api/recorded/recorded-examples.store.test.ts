import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { statement } from '@linnet/db/statement/statement';
import { createTestDatabase } from '../../db/test-database.ts';
import { pngImage } from '../../media/images.ts';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { startImageServer } from '../image-server.ts';
import type { ImageServer } from '../image-server.ts';
import { startApi } from '../running-api.ts';
import type { RunningApi } from '../running-api.ts';
import { recordCalls, recordDeletions } from './record-calls.ts';
import { recordLimit, recordProblems } from './record-problems.ts';
import { createRecorder, json } from './recorder.ts';
import { stabilize } from './stable-values.ts';

/**
 * Makes the calls that the reference shows as examples, and compares every response with the recorded one.
 * `pnpm openapi` records them again.
 */
const file = new URL('../../../../packages/contract/src/openapi/recorded-examples.json', import.meta.url);
const cleanup = new AsyncDisposableStack();
let api: RunningApi;
let limited: RunningApi;
let images: ImageServer;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  images = cleanup.use(await startImageServer({ 'engine.png': await pngImage() }));
  api = cleanup.use(await startApi(database.url, { config: { mediaFetchAllow: [images.authority] } }));
  limited = cleanup.use(
    await startApi(database.url, {
      signer: api.signer,
      config: { rateLimits: true, registration: 'closed', workers: 1000 },
    }),
  );
});
afterAll(async () => await cleanup.disposeAsync());

test('every example of the reference is what the service responds', async () => {
  const recorder = createRecorder(api);
  const world = await recordCalls(recorder, api, images.address('engine.png'));
  await recordProblems(recorder, api, world);
  await recordLimit(recorder, limited);
  await recordDeletions(recorder, world);
  await recordFaults(recorder, world.ada);
  const text = JSON.stringify(stabilize(recorder.recorded)).replaceAll(images.authority, 'images.example.org');
  await expect(`${JSON.stringify(JSON.parse(text), null, 2)}\n`).toMatchFileSnapshot(fileURLToPath(file));
});

/** Breaks the service, so it comes last. */
async function recordFaults({ recordProblem }: ReturnType<typeof createRecorder>, acct: number): Promise<void> {
  const drafts = join(api.dataDir, 'media', 'drafts');
  await rm(drafts, { recursive: true });
  await writeFile(drafts, 'in the way');
  const body = JSON.stringify({ media: images.address('engine.png') });
  const upload = api.call('POST /media/upload', { claims: { acct }, headers: json, body });
  await recordProblem('storage-full', upload);
  await api.db.query(breakTable, []);
  await recordProblem('internal-error', api.call('GET /media', { claims: { acct } }));
}

const breakTable = statement<readonly [], never>('test_break_table', 'ALTER TABLE media RENAME COLUMN name TO other');
