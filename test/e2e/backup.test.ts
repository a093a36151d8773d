import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createEmptyDatabase, createTestDatabase } from '../support/db/test-database.ts';
import { findCounterMismatches } from '../support/db/counters.ts';
import { pngImage } from '../support/media/images.ts';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { createApiCaller, createClient, requestToken } from '../support/api-client.ts';
import { runLinnet, startService } from '../support/service.ts';
import type { Service, Variables } from '../support/service.ts';

/** A drill: back up while people write, restore elsewhere, and compare. */

const secretKeys = 'a secret of forty characters or somewhat more';
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'linnet-drill-'));
});
afterAll(async () => {
  await rm(directory, { recursive: true });
});

async function linnet(env: Variables, ...args: readonly string[]) {
  const { exitCode, stdout, stderr } = await runLinnet([...args, '--json'], env);
  return { exitCode, stderr, document: JSON.parse(stdout) };
}

/** Posts a picture. Returns the post as the API shows it. */
async function postPicture({ baseUrl }: Service, token: string) {
  const body = new FormData();
  body.append('media', new Blob([Uint8Array.from(await pngImage())]), 'picture.png');
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
  const response = await fetch(`${baseUrl}/api/v2.0/media/upload`, { method: 'POST', headers, body });
  const { finally: uploaded } = (await response.json()) as { finally: { media_id: number } };
  const media = uploaded.media_id;
  const created = await createApiCaller(baseUrl, token)('POST /post/create', { message: 'A picture', media });
  return created.body.items;
}

/** Posts pictures, likes them and deletes every second one until it is stopped. */
async function write(service: Service, token: string, isStopped: () => boolean): Promise<void> {
  const call = createApiCaller(service.baseUrl, token);
  for (let round = 0; !isStopped(); round += 1) {
    const { id } = await postPicture(service, token);
    expect((await call('POST /likes/add', { item_id: id, type: 'post' })).status).toBe(200);
    if (round % 2 === 0) await call('POST /post/delete', { id });
  }
}

test('a backup under load restores elsewhere: tokens live, audit log, counters and media are whole', async () => {
  await using database = await createTestDatabase(inject('databaseServer'));
  await using target = await createEmptyDatabase(inject('databaseServer'));
  const env = { DATABASE_URL: database.url, SECRET_KEYS: secretKeys, WORKERS: '1', RATE_LIMITS: 'off' };
  const key = join(directory, 'key');
  const file = join(directory, 'backup');
  let port: number;
  let token: string;
  let posted: { readonly id: number; readonly media: { readonly files: readonly { readonly download: string }[] } };
  {
    await using service = await startService({ env });
    port = service.port;
    const client = await createClient(service.env, 'ada_lovelace');
    ({ access_token: token } = (await requestToken(service.baseUrl, client)).body);
    posted = await postPicture(service, token);
    await createApiCaller(service.baseUrl, token)('POST /likes/add', { item_id: posted.id, type: 'post' });
    const { document: created } = await linnet(service.env, 'backup', '--create-key', key);
    let isStopped = false;
    const writers = [1, 2].map(async () => await write(service, token, () => isStopped));
    const written = await linnet(service.env, 'backup', '--to', file, '--recipient', String(created.recipient));
    isStopped = true;
    await Promise.all(writers);
    expect(written).toMatchObject({ exitCode: 0, stderr: '', document: { file, encrypted: true } });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  }
  const restored = { ...env, DATABASE_URL: target.url, DATA_DIR: join(directory, 'data'), PORT: String(port) };
  const checked = await linnet(restored, 'backup', '--verify', file, '--identity', key);
  expect(checked.document).toMatchObject({ ok: true, media: { missing: 0 } });
  const foreign = { ...restored, SECRET_KEYS: 'another secret of forty characters or more' };
  const refused = await linnet(foreign, 'restore', '--from', file, '--identity', key);
  expect(refused).toMatchObject({ exitCode: 1, document: { error: { code: 'secret-keys' } } });
  expect((await linnet(restored, 'restore', '--from', file, '--identity', key)).document).toMatchObject({ ok: true });
  expect(await findCounterMismatches(target.db)).toEqual([]);

  await using service = await startService({ env: restored });
  const call = createApiCaller(service.baseUrl, token);
  const shown = await call(`GET /post/show?id=${String(posted.id)}`);
  expect([shown.status, shown.body.items.text]).toEqual([200, 'A picture']);
  for (const { download } of posted.media.files) expect((await fetch(download)).status).toBe(200);
  expect((await call('POST /post/create', { message: 'After the restore' })).status).toBe(200);
  expect((await linnet(service.env, 'audit', 'verify')).document).toMatchObject({ ok: true });
});
