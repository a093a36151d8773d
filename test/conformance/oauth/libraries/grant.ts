import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';

import type { GrantHandler, GrantOptions } from 'grant';

import type { LibraryFlows } from '../flow.ts';
import type { World } from '../world.ts';

// Its types describe an ES module, but it is CommonJS.
const grant: (options: GrantOptions) => GrantHandler = createRequire(import.meta.url)('grant');

/** Runs an application that uses Grant over real HTTP; returns the tokens that its callback page receives. */
async function authorize(world: World): Promise<URLSearchParams> {
  const { promise: handled, resolve } = Promise.withResolvers<GrantHandler>();
  const server = createServer((request, response) => {
    void handled.then(async (handle) => {
      // Grant handles its redirects; the last page belongs to the application.
      const { redirect } = await handle(request, response);
      if (redirect !== true) response.end('done');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const origin = `http://127.0.0.1:${String(typeof address === 'object' ? address?.port : '')}`;
  try {
    const { id, secret } = await world.register([
      '--type',
      'confidential',
      '--redirect-uri',
      `${origin}/connect/linnet/callback`,
    ]);
    const handle = grant({
      handler: 'node',
      config: {
        defaults: { origin, transport: 'querystring', state: true },
        linnet: {
          authorize_url: `${world.issuer}/oauth/authorize`,
          access_url: `${world.issuer}/oauth/token`,
          oauth: 2,
          key: id,
          secret,
          scope: ['users', 'posts'],
          scope_delimiter: ' ',
          pkce: true,
          callback: '/done',
          response: ['tokens'],
        },
      },
      session: { secret: 'a secret of the application' },
    });
    resolve(handle);
    const done = await world.consent(`${origin}/connect/linnet`, origin);
    return done.searchParams;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

export const grantLibrary: LibraryFlows = {
  'code + PKCE, confidential': async (world) => await world.callApi((await authorize(world)).get('access_token') ?? ''),
};
