import { countShortenedLifetimes } from '@linnet/applications/token-lifetimes-store';
import { loadKeyRing } from '@linnet/keys/key-ring';
import { openDatabase } from '@linnet/db/database';
import { readMigrationStatus } from '@linnet/db/migrations';
import { migrationsDirectory } from '@linnet/db/migrations-directory';
import { wasUntrustedProxySeen } from '@linnet/db/untrusted-proxy';
import { resolveSecretKeys } from '@linnet/service/secret-keys';
import { untrustedProxyWarning } from '@linnet/service/untrusted-proxy';

import type { Config } from '../config.ts';
import { CommandError } from '../failure.ts';
import { withServer } from '../operating-database.ts';
import { readServerSettings } from '../server-settings-store.ts';
import type { ServiceDatabase } from '../start/service-database.ts';
import { runCheck } from './check.ts';
import type { Check } from './check.ts';

/**
 * Checks that the database is reachable, recent enough and in UTC, that all migrations are applied, and that
 * SECRET_KEYS decrypts the signing keys. Warns of a proxy that TRUST_PROXY does not count. Changes nothing.
 */
export async function checkDatabase(config: Config): Promise<readonly Check[]> {
  let checks: readonly Check[] = [];
  const reached = await runCheck('database', () =>
    withServer(config, async (server) => {
      const detail = await checkServer(config, server);
      checks = [
        await checkMigrations(server),
        await checkKeys(config, server),
        await checkProxy(config, server),
        await checkTokenBounds(config, server),
      ];
      return detail;
    }),
  );
  return [reached, ...checks];
}

async function checkServer(
  { databasePrepare }: Config,
  { url, directUrl, isEmbedded }: ServiceDatabase,
): Promise<string> {
  await readMigrationStatus(directUrl, migrationsDirectory); // throws if the server is too old
  await using db = openDatabase({ url, poolSize: 1, prepare: databasePrepare });
  const { version, timeZone } = await readServerSettings(db);
  if (timeZone !== 'UTC') {
    throw new CommandError(
      'database-time-zone',
      `The time zone is ${timeZone}. Run: ALTER DATABASE … SET timezone = 'UTC'`,
    );
  }
  return `PostgreSQL ${version}${isEmbedded ? ' (embedded)' : ''}, in UTC`;
}

function checkMigrations({ directUrl }: ServiceDatabase): Promise<Check> {
  return runCheck('migrations', async () => {
    const { applied, pending } = await readMigrationStatus(directUrl, migrationsDirectory);
    if (pending.length === 0) return `all ${String(applied.length)} applied`;
    throw new CommandError('migrations-pending', `Not applied: ${pending.join(', ')}. Run "linnet migrate".`);
  });
}

function checkKeys(config: Config, { url }: ServiceDatabase): Promise<Check> {
  return runCheck('keys', async () => {
    const secretKeys = await resolveSecretKeys(config);
    await using db = openDatabase({ url, poolSize: 1, prepare: config.databasePrepare });
    await loadKeyRing(db, secretKeys);
    return 'SECRET_KEYS decrypts the signing keys';
  });
}

/** A warning, not a failure: a client inside the network can send X-Forwarded-For too. */
async function checkProxy({ trustProxy, databasePrepare }: Config, { url }: ServiceDatabase): Promise<Check> {
  let isSeen = false;
  const check = await runCheck('proxy', async () => {
    if (trustProxy > 0) return `TRUST_PROXY is ${String(trustProxy)}`;
    await using db = openDatabase({ url, poolSize: 1, prepare: databasePrepare });
    isSeen = await wasUntrustedProxySeen(db);
    return isSeen ? `In the last 24 hours ${untrustedProxyWarning}.` : 'TRUST_PROXY is 0, and no proxy was seen';
  });
  return isSeen ? { ...check, warning: true } : check;
}

/** Says which lifetimes the operator allows, and how many applications have chosen longer ones. */
function checkTokenBounds({ tokenBounds, databasePrepare }: Config, { url }: ServiceDatabase): Promise<Check> {
  return runCheck('token-lifetimes', async () => {
    const { accessToken, refreshToken, refreshTokenTotal } = tokenBounds;
    await using db = openDatabase({ url, poolSize: 1, prepare: databasePrepare });
    const count = await countShortenedLifetimes(db, tokenBounds);
    const bounds = `access tokens last up to ${String(accessToken)} s, refresh tokens up to ${String(refreshToken)} s without use and ${String(refreshTokenTotal)} s in total`;
    return count === 0 ? bounds : `${bounds}; shorter than what applications have chosen: ${String(count)}`;
  });
}
