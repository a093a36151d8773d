import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { holderUrl, tryConnect } from './connection.ts';

test('a server that ends while a connection is made is busy, not broken', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'linnet-ending-'));
  // What was received and not read makes the kernel answer a close with a reset.
  const server = createServer({ pauseOnConnect: true }, (socket) => setTimeout(() => socket.destroy(), 20));
  await new Promise<void>((resolve) => server.listen(join(directory, '.s.PGSQL.5432'), resolve));
  expect(await tryConnect(holderUrl(directory))).toBe('busy');
  server.close();
  await rm(directory, { recursive: true });
});
