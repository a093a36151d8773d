import { createSmallDisk } from '../support/db/small-disk.ts';
import { expect, inject, test } from 'vitest';

import { createApiCaller, createClient, requestToken } from '../support/api-client.ts';
import { eventually, startService } from '../support/service.ts';

test('the disk of the database is full: reads succeed, writes get 503, and health and log name the cause once', async () => {
  await using disk = await createSmallDisk(inject('databaseServer'));
  if (disk === undefined) {
    process.stdout.write('NOTE: no file system can be mounted here, so the full disk was not tested\n');
    return;
  }
  await using service = await startService({ env: { DATABASE_URL: disk.url, WORKERS: '1', RATE_LIMITS: 'off' } });
  const client = await createClient(service.env, 'ada_lovelace');
  const { access_token: accessToken } = (await requestToken(service.baseUrl, client)).body;
  const health = async () => {
    const response = await fetch(`${service.baseUrl}/health/ready`);
    return { status: response.status, body: JSON.parse(await response.text()) as unknown };
  };
  expect(await health()).toMatchObject({ status: 200, body: { status: 'ready', checks: { writes: true } } });

  const filledAt = performance.now();
  await disk.fill();
  const headers = { authorization: `Bearer ${String(accessToken)}`, 'content-type': 'application/json' };
  const post = async () => {
    const body = JSON.stringify({ message: 'x'.repeat(280) });
    const response = await fetch(`${service.baseUrl}/api/v2.0/post/create`, { method: 'POST', headers, body });
    await response.arrayBuffer();
    return response.status;
  };
  // A page that exists already may have room for a few posts.
  await eventually('a write has failed', async () => (await post()) !== 200);
  const statuses = new Set<number>();
  for (let round = 0; round < 50; round += 1) statuses.add(await post());
  expect([...statuses].filter((status) => status !== 200)).toEqual([503]);
  const call = createApiCaller(service.baseUrl, String(accessToken));
  expect((await call('GET /users/show')).status).toBe(200);
  expect(await health()).toMatchObject({
    status: 200,
    body: { status: 'degraded', checks: { database: true, writes: false }, reasons: { writes: 'disk-full' } },
  });
  const lines = service.stdout().split('\n');
  const named = lines.filter((line) => line.includes('"outage":"disk-full"'));
  const minutes = Math.ceil((performance.now() - filledAt) / 60_000);
  expect(named.length).toBeGreaterThanOrEqual(1);
  expect(named.length).toBeLessThanOrEqual(1 + minutes);
  expect(lines.filter((line) => line.includes('disk-full') && line.includes('"stack"'))).toEqual([]);
  expect(service.stdout()).not.toContain('cannot be reached');

  await disk.free();
  await eventually('writes succeed again', async () => (await post()) === 200);
  await eventually('ready again', async () => JSON.stringify(await health()).includes('"ready"'));
});
