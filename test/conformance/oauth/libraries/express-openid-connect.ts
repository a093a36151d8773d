import express from 'express';
import openidConnect from 'express-openid-connect';

import type { LibraryFlows } from '../flow.ts';
import { signInToApplication } from './web-application.ts';

export const expressOpenidConnect: LibraryFlows = {
  'sign-in (OpenID Connect)': async (world) => {
    const done = await signInToApplication(world, {
      callback: '/callback',
      start: '/',
      create: async (baseURL, { id, secret }) => {
        const app = express();
        app.use(
          openidConnect.auth({
            issuerBaseURL: world.issuer,
            baseURL,
            clientID: id,
            clientSecret: secret,
            secret: 'a secret of the application, which signs its session',
            authorizationParams: { response_type: 'code', scope: 'openid profile email' },
          }),
        );
        app.get('/', (request, response) =>
          response.redirect(`/done?${new URLSearchParams({ name: String(request.oidc.user?.['name']) }).toString()}`),
        );
        return app;
      },
    });
    return done.get('name') === world.personName ? 200 : 0;
  },
};
