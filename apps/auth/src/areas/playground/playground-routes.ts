import type { Db } from '@linnet/db/database';
import type { Secret } from '@linnet/service/config/secret';
import type Koa from 'koa';

import type { Changed, MyApplications } from '@linnet/applications/my-applications';
import type { AuthEvents } from '../../audit/events.ts';
import { createArea } from '../../sign-in/visit/area.ts';
import type { Web } from '../../sign-in/visit/web.ts';
import { callbackRoute } from './callback-route.tsx';
import { playgroundRoute } from './playground-route.tsx';
import { createPlayground } from './playground.ts';

interface PlaygroundRoutesOptions {
  readonly web: Web;
  readonly db: Pick<Db, 'prisma' | 'query'>;
  /** Encrypt the stored runs. */
  readonly secretKeys: readonly Secret[];
  readonly applications: MyApplications;
  /** Resolves when every process accepts the redirect URI of the playground for the application. */
  readonly changed: Changed;
  readonly events: AuthEvents;
}

/** The page of the playground, and the redirect URI that browsers come back to. */
export function createPlaygroundRoutes(options: PlaygroundRoutesOptions): readonly Koa.Middleware[] {
  const { web, applications, events } = options;
  const { baseUrl } = web;
  const playground = createPlayground({ ...options, baseUrl });
  return [
    createArea(web, [playgroundRoute({ baseUrl, applications, events, playground })]),
    callbackRoute(web, playground),
  ];
}
