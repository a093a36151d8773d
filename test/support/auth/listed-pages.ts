import { longestTokenBounds } from '@linnet/applications/settings/token-lifetimes';

import type { ListedPages } from '@linnet/auth/pages/form/form-pages';
import { createPageRoutes } from '@linnet/auth/server/page-routes';
import type { PageRoutesOptions } from '@linnet/auth/server/page-routes';
import { secretKeys } from './running-auth.ts';

/** The pages and forms of the server, as `createPageRoutes` makes them. Their parts are used by requests only, and none is sent. */
export function listPages(): readonly ListedPages[] {
  const unused: unknown = new Proxy(() => unused, { get: (_target, name) => (name === 'then' ? undefined : unused) });
  const options = {
    config: {
      baseUrl: 'https://linnet.example',
      dataDir: '/var/lib/linnet',
      tokenBounds: longestTokenBounds,
      media: {},
      mail: {},
      signInProviders: [],
    },
    secretKeys,
    db: unused,
    accounts: unused,
  };
  const parts = { media: unused, factors: unused, events: unused, kit: unused, protocol: unused };
  const routes = createPageRoutes({ ...options, ...parts } as unknown as PageRoutesOptions);
  return routes.flatMap((route) => ('paths' in route ? [route as unknown as ListedPages] : []));
}
