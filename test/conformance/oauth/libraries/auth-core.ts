import { Readable } from 'node:stream';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { Auth, skipCSRFCheck } from '@auth/core';
import type { AuthConfig } from '@auth/core';

import type { LibraryFlows } from '../flow.ts';
import { signInToApplication } from './web-application.ts';

/** Auth.js, the library behind NextAuth. It handles requests of the Fetch API. */
export const authCore: LibraryFlows = {
  'sign-in (OpenID Connect)': async (world) => {
    const done = await signInToApplication(world, {
      callback: '/auth/callback/linnet',
      start: '/login',
      create: async (origin, { id, secret }) => {
        const config: AuthConfig = {
          basePath: '/auth',
          trustHost: true,
          secret: 'a secret of the application, which encrypts its session',
          // The frameworks check the origin of the sign-in form themselves.
          skipCSRFCheck,
          providers: [
            { id: 'linnet', name: 'Linnet', type: 'oidc', issuer: world.issuer, clientId: id, clientSecret: secret },
          ],
        };
        const handle = async (request: IncomingMessage, response: ServerResponse) => {
          const headers = { cookie: request.headers.cookie ?? '' };
          const call = async (path: string, method = 'GET') =>
            await Auth(new Request(origin + path, { method, headers }), config);
          if (request.url === '/login') await send(response, await call('/auth/signin/linnet', 'POST'));
          else if (request.url === '/') {
            const session: { user?: { name?: string } } = await (await call('/auth/session')).json();
            const query = new URLSearchParams({ name: session.user?.name ?? '' });
            response.writeHead(302, { location: `/done?${query.toString()}` }).end();
          } else await send(response, await call(request.url ?? '/'));
        };
        return (request, response) => void handle(request, response);
      },
    });
    return done.get('name') === world.personName ? 200 : 0;
  },
};

async function send(response: ServerResponse, { status, headers, body }: Response): Promise<void> {
  response.writeHead(status, { ...Object.fromEntries(headers), 'set-cookie': headers.getSetCookie() });
  if (body === null) response.end();
  else Readable.from(body).pipe(response);
}
