import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

import { createTestDatabase } from '../../support/db/test-database.ts';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { findFreePort, startService } from '../../support/service.ts';
import type { LibraryFlows } from './flow.ts';
import { arctic } from './libraries/arctic.ts';
import { badgateway } from './libraries/badgateway.ts';
import { oauth4webapi } from './libraries/oauth4webapi.ts';
import { openidClient } from './libraries/openid-client.ts';
import { simpleOauth2 } from './libraries/simple-oauth2.ts';
import { createWorld } from './world.ts';
import type { World } from './world.ts';

/**
 * Client libraries behind a proxy that loses the first response to each refresh token: the library reports an error, and a
 * refresh with the same token, as an application sends it later, keeps the person signed in (D183).
 */
const libraries: Readonly<Record<string, LibraryFlows>> = {
  'openid-client': openidClient,
  oauth4webapi,
  'simple-oauth2': simpleOauth2,
  '@badgateway/oauth2-client': badgateway,
  arctic,
};

const cleanup = new AsyncDisposableStack();
let world: World;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  const port = await findFreePort();
  const proxy = cleanup.use(await startLossyProxy(port));
  const env = { DATABASE_URL: database.url, RATE_LIMITS: 'off', PORT: String(port), BASE_URL: proxy.origin };
  const found = await createWorld(cleanup.use(await startService({ env })));
  world = {
    ...found,
    refresh: async (send) => {
      const before = proxy.lost();
      const isLost = await send().then(
        () => false,
        () => proxy.lost() === before + 1,
      );
      if (!isLost) throw new Error('no response was lost');
      return await send();
    },
  };
});
afterAll(async () => await cleanup.disposeAsync());

test.each(Object.entries(libraries))('%s stays signed in', async (_library, { refresh }) => {
  expect(await refresh?.(world)).toBe(200);
});

interface LossyProxy extends AsyncDisposable {
  readonly origin: string;
  /** How many responses it has lost. */
  readonly lost: () => number;
}

/** Forwards requests to a port of this host. The first time that it sees a refresh token, it closes the connection instead of responding. */
async function startLossyProxy(port: number): Promise<LossyProxy> {
  const seen = new Set<string>();
  const forward = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { method, url = '', headers } = incoming;
    const body = await buffer(incoming);
    const sent = request({ host: '127.0.0.1', port, method, path: url, headers }).end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage]; // what Node.js emits
    const answer = await buffer(response);
    const token = url === '/oauth/token' ? new URLSearchParams(body.toString()).get('refresh_token') : null;
    if (token !== null && !seen.has(token)) {
      seen.add(token);
      outgoing.destroy();
    } else outgoing.writeHead(response.statusCode ?? 502, response.headers).end(answer);
  };
  const server = createServer((incoming, outgoing) => void forward(incoming, outgoing).catch(() => outgoing.destroy()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    origin: `http://127.0.0.1:${String(typeof address === 'object' ? address?.port : '')}`,
    lost: () => seen.size,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
