import { readFile } from 'node:fs/promises';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { createApplications } from '@linnet/applications/applications';
import { createTestDatabase } from '../support/db/test-database.ts';
import { insertAccount } from '../support/db/insert-account.ts';
import { expect, inject, test } from 'vitest';

import { requestToken } from '../support/api-client.ts';
import type { Client } from '../support/api-client.ts';
import { findProcesses, isWorker } from '../support/processes.ts';
import { startService } from '../support/service.ts';
import type { Service } from '../support/service.ts';

/**
 * 10,000 idle streams in the only worker of a service, for `pnpm test:long`. The usual run measures the heap of an open connection
 * (`packages/service/src/http/taken-connection.test.ts`). Needs a limit of open files above the number of streams (`ulimit -n 20000`).
 */
const isLong = process.env['SCALE_POSTS'] !== undefined;
const streams = 10_000;
/** Of one person in one application. */
const perApplication = 10;
/** Streams that are opened at the same time. */
const atOnce = 50;
const idleMs = 30_000;
const maxMebibytes = 300;

/** Resident memory of the worker. */
async function residentMebibytes(service: Service): Promise<number> {
  const worker = (await findProcesses(service.dataDir)).find(isWorker);
  const status = await readFile(`/proc/${String(worker?.pid)}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

/** Opens a stream with a token of its own. */
async function open({ port, baseUrl }: Service, client: Client): Promise<Socket> {
  const { body: token } = await requestToken(baseUrl, client);
  expect(token).toHaveProperty('access_token');
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const lines = ['GET /api/v2.0/events HTTP/1.1', `Host: localhost:${String(port)}`, 'Accept: text/event-stream'];
  socket.write([...lines, `Authorization: Bearer ${token.access_token}`, '', ''].join('\r\n'));
  const [head] = (await once(socket, 'data')) as [Buffer];
  expect(head.toString()).toMatch(/^HTTP\/1\.1 200 /);
  return socket.resume();
}

test.runIf(isLong)('10,000 idle streams need less than 300 MiB in one worker', { timeout: 600_000 }, async () => {
  await using database = await createTestDatabase(inject('databaseServer'));
  await using service = await startService({
    env: { DATABASE_URL: database.url, RATE_LIMITS: 'off', LOG_SAMPLE: '0' },
  });
  await insertAccount(database.db, 'ada_lovelace');
  const applications = createApplications(database.db);
  const create = async (name: string) =>
    await applications.create({
      ...{ name, type: 'confidential', owner: 'ada_lovelace', redirectUris: [], scopes: ['posts', 'users'] },
      actAsOwner: true,
    });
  const before = await residentMebibytes(service);
  const sockets: Socket[] = [];
  while (sockets.length < streams) {
    const created = [];
    for (let index = 0; index < atOnce / perApplication; index += 1) {
      const { clientId, clientSecret: secret = '' } = await create(`Bot ${String(sockets.length)} ${String(index)}`);
      created.push({ id: clientId, secret });
    }
    const opening = created.flatMap((client) =>
      Array.from({ length: perApplication }, async () => await open(service, client)),
    );
    sockets.push(...(await Promise.all(opening)));
  }
  const opened = await residentMebibytes(service);
  // Two signs of life for each.
  await delay(idleMs);
  const idle = await residentMebibytes(service);
  const [from, then, now] = [before, opened, idle].map((mebibytes) => String(Math.round(mebibytes)));
  process.stdout.write(
    `\nresident memory of the worker: ${from} MiB at first, ${then} MiB with ${String(streams)} streams, ${now} MiB after 30 s\n`,
  );
  expect(sockets.filter(({ destroyed }) => destroyed)).toEqual([]);
  expect(Math.max(opened, idle)).toBeLessThan(maxMebibytes);
  for (const socket of sockets) socket.destroy();
});
