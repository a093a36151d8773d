import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Db } from '@linnet/db/database';
import { DatabaseUnavailable } from '@linnet/db/database-error';
import { hostPin } from '@linnet/service/host-pin';
import type { Readiness } from '@linnet/service/http-server';
import type { Logger } from '@linnet/service/logger';
import { requestLog } from '@linnet/service/request-log';
import Koa from 'koa';

import type { AuthConfig } from './config.ts';
import { createEvents } from './events.ts';
import { fallback } from './http/fallback.ts';
import { securityHeaders } from './http/security-headers.ts';
import { loadKeyRing } from './keys/key-ring.ts';
import { countUsableKeys } from './keys/key-store.ts';
import { createOidc } from './oidc/provider.ts';

export interface AuthApp {
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void;
  readonly readiness: Readiness;
}

export interface AuthAppOptions {
  readonly config: AuthConfig;
  readonly db: Db;
  readonly logger: Logger;
}

/**
 * The authorization server as a request handler. `ensureSigningKeys` comes first.
 * @throws SecretKeysChanged when SECRET_KEYS does not open the signing keys.
 */
export async function createAuthApp({ config, db, logger }: AuthAppOptions): Promise<AuthApp> {
  const { baseUrl } = config;
  const keyRing = await loadKeyRing(db, config.secretKeys);
  const events = createEvents(logger);

  const app = new Koa();
  // Whatever reaches this has been answered, or there is nobody left to answer.
  app.on('error', (error: unknown) => logger.warn({ err: error }, 'connection failed'));
  app.use(requestLog(logger));
  app.use(securityHeaders(baseUrl));
  app.use(fallback({ events, isUnavailable }));
  app.use(hostPin(baseUrl));
  for (const step of createOidc({ baseUrl, keyRing, db, events, isUnavailable })) app.use(step);

  const handle = app.callback();
  return {
    handler: (request, response) => void handle(request, response),
    readiness: async () => [
      {
        name: 'database',
        ok: await countUsableKeys(db).then(
          () => true,
          () => false,
        ),
      },
      { name: 'keys', ok: true },
    ],
  };
}

function isUnavailable(error: unknown): boolean {
  return error instanceof DatabaseUnavailable;
}
