import * as accountRoutes from '@linnet/contract/account-routes';
import * as graphRoutes from '@linnet/contract/graph-routes';
import type { Route } from '@linnet/contract/route';
import * as mediaRoutes from '@linnet/contract/media-routes';
import * as routes from '@linnet/contract/routes';
import * as socialRoutes from '@linnet/contract/social-routes';

/** Every row of the contract by its name, for tests that are generated from it. */
export const routesByName: Readonly<Record<string, Route>> = {
  ...accountRoutes,
  ...routes,
  ...mediaRoutes,
  ...socialRoutes,
  ...graphRoutes,
};
