import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { holderUrl, tryConnect } from './connection.ts';

test('tryConnect returns "busy" if the server stops while it connects', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'linnet-ending-'));
  // Closing a socket with unread data makes the kernel send a reset.
  const server = createServer({ pauseOnConnect: true }, (socket) => setTimeout(() => socket.destroy(), 20));
  await new Promise<void>((resolve) => server.listen(join(directory, '.s.PGSQL.5432'), resolve));
  expect(await tryConnect(holderUrl(directory))).toBe('busy');
  server.close();
  await rm(directory, { recursive: true });
});
