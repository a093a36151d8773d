import * as accountRoutes from './account-routes.ts';
import * as grantRoutes from './grant-routes.ts';
import * as graphRoutes from './graph-routes.ts';
import * as mediaRoutes from './media-routes.ts';
import type { Route } from './route.ts';
import * as routes from './routes.ts';
import * as socialRoutes from './social-routes.ts';

/** Every row of the contract by its name: what the documentation and the generated tests go by. */
export const routesByName: Readonly<Record<string, Route>> = {
  ...accountRoutes,
  ...grantRoutes,
  ...routes,
  ...mediaRoutes,
  ...socialRoutes,
  ...graphRoutes,
};
