import fastifyOauth2 from '@fastify/oauth2';
import type { OAuth2Namespace } from '@fastify/oauth2';
import fastify from 'fastify';

import type { LibraryFlows } from '../flow.ts';
import { signInToApplication } from './web-application.ts';

declare module 'fastify' {
  interface FastifyInstance {
    linnet: OAuth2Namespace;
  }
}

export const fastifyOauth2Library: LibraryFlows = {
  'code + PKCE, confidential': async (world) => {
    const done = await signInToApplication(world, {
      callback: '/login/callback',
      start: '/login',
      create: async (origin, { id, secret }) => {
        const app = fastify();
        await app.register(fastifyOauth2, {
          name: 'linnet',
          scope: ['users', 'posts'],
          credentials: { client: { id, secret } },
          startRedirectPath: '/login',
          callbackUri: `${origin}/login/callback`,
          discovery: { issuer: world.issuer },
          pkce: 'S256',
        });
        app.get('/login/callback', async (request, reply) => {
          const { token } = await app.linnet.getAccessTokenFromAuthorizationCodeFlow(request);
          return await reply.redirect(`/done?${new URLSearchParams({ token: token.access_token }).toString()}`);
        });
        await app.ready();
        return (request, response) => app.routing(request, response);
      },
    });
    return await world.callApi(done.get('token') ?? '');
  },
};
