import { createRequire } from 'node:module';

import type { GrantHandler, GrantOptions } from 'grant';

import type { LibraryFlows } from '../flow.ts';
import { signInToApplication } from './web-application.ts';

// Its types describe an ES module, but it is CommonJS.
const grant: (options: GrantOptions) => GrantHandler = createRequire(import.meta.url)('grant');

export const grantLibrary: LibraryFlows = {
  'code + PKCE, confidential': async (world) => {
    const tokens = await signInToApplication(world, {
      callback: '/connect/linnet/callback',
      start: '/connect/linnet',
      create: async (origin, { id, secret }) => {
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
        return (request, response) => void handle(request, response);
      },
    });
    return await world.callApi(tokens.get('access_token') ?? '');
  },
};
