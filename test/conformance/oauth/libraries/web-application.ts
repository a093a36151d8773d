import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';

import type { RegisteredApplication, World } from '../world.ts';

interface WebApplication {
  /** Path of the redirect URI. */
  readonly callback: string;
  /** Path that starts the sign-in. */
  readonly start: string;
  /** Creates the application, which ends the sign-in with a redirect to `/done` and its result in the query. */
  readonly create: (origin: string, registered: RegisteredApplication) => Promise<RequestListener>;
}

/** Serves an application over real HTTP, and lets a person sign in to it. Returns the query of `/done`. */
export async function signInToApplication(
  world: World,
  { callback, start, create }: WebApplication,
): Promise<URLSearchParams> {
  const { promise: listener, resolve } = Promise.withResolvers<RequestListener>();
  const server = createServer((request, response) => {
    void listener.then((handle) => {
      if (request.url?.startsWith('/done') === true) response.end('done');
      else handle(request, response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const origin = `http://127.0.0.1:${String(typeof address === 'object' ? address?.port : '')}`;
  try {
    const options = ['--type', 'confidential', '--redirect-uri', origin + callback];
    resolve(await create(origin, await world.register(options)));
    return (await world.consent(origin + start, origin)).searchParams;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
