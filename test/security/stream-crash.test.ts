import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

import { createSigner } from '../support/api/signer.ts';
import { createTestDatabase } from '../support/db/test-database.ts';
import { insertAccount } from '../support/db/insert-account.ts';
import { expect, inject, test } from 'vitest';

import { listenToPosts, writePosts } from '../support/post-stream.ts';
import { eventually, findFreePort, launch, separateServer, statusOf } from '../support/service.ts';
import type { Launched } from '../support/service.ts';

/**
 * Two API servers, which serve the stream and give events their order, are killed in turn while somebody writes and listens: nothing is
 * lost, and an event always has the same id. For `pnpm test:long`; the usual run kills both workers of a service once
 * (`test/e2e/lifecycle-crashes.test.ts`).
 */
const isLong = process.env['RACE_ROUNDS'] !== undefined;
const kills = 20;

async function isReady({ port }: Launched): Promise<boolean> {
  return (await statusOf(`http://127.0.0.1:${String(port)}/health/ready`)) === 200;
}

test.runIf(isLong)('kill -9 of API servers under writes', { timeout: 600_000 }, async () => {
  await using cleanup = new AsyncDisposableStack();
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  const baseUrl = `http://localhost:${String(await findFreePort())}`;
  const signer = await createSigner(baseUrl);
  const keys = createServer((_request, response) => response.end(JSON.stringify({ keys: [signer.publicJwk] })));
  cleanup.defer(() => void keys.close());
  await once(keys.listen(0, '127.0.0.1'), 'listening');
  const env = {
    ...{
      BASE_URL: baseUrl,
      DATABASE_URL: database.url,
      SECRET_KEYS: 'a secret of every process here',
      RATE_LIMITS: 'off',
    },
    JWKS_URL: `http://127.0.0.1:${String(Object(keys.address()).port)}/`,
  };
  const start = async (port: number) => {
    const server = await launch({
      env: { ...env, PORT: String(port) },
      command: [...separateServer, 'api'],
    });
    await eventually('the server is ready', async () => await isReady(server));
    return server;
  };
  const ports = [await findFreePort(), await findFreePort()];
  const servers = await Promise.all(ports.map(start));
  cleanup.defer(async () => void (await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()))));
  const acct = await insertAccount(database.db, 'ada_lovelace');
  const token = await signer.sign({ acct });
  const places = ports.map((port) => ({ baseUrl, port }));
  await using listener = await listenToPosts(places, token);
  const posts = writePosts(places, token);
  for (let round = 0; round < kills; round += 1) {
    const [before, victim] = [listener.posts.length, round % 2];
    await eventually('posts arrive', () => listener.posts.length > before + 5);
    await delay(Math.random() * 500);
    servers[victim]?.process.kill('SIGKILL');
    await servers[victim]?.[Symbol.asyncDispose]();
    servers[victim] = await start(ports[victim] ?? 0);
  }
  const written = await posts.stop();
  await eventually('the last post has arrived', () => listener.posts.includes(written.at(-1) ?? 0));
  expect(listener.posts).toEqual(expect.arrayContaining([...written]));
  expect(listener.posts).toEqual([...new Set(listener.posts)].toSorted((one, other) => one - other));
  for (const ids of listener.eventIds.values()) expect(ids.size).toBe(1);
});
