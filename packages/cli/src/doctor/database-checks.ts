import { countShortenedLifetimes } from '@linnet/applications/settings/token-lifetimes-store';
import { loadKeyRing } from '@linnet/keys/key-ring';
import { openDatabase } from '@linnet/db/database';
import type { Db } from '@linnet/db/database';
import { readMigrationStatus, migrationsDirectory } from '@linnet/db/migration/migrations';
import { partitionedTables, readSecondsAhead } from '@linnet/db/keep/partitions';
import { findRecordedProxies } from '@linnet/db/connection/untrusted-proxy';
import { resolveSecretKeys } from '@linnet/service/config/secret';
import { findProxyMistake } from '@linnet/service/http/untrusted-proxy';
import { version } from '@linnet/service/config/version';

import type { Config } from '../config.ts';
import { withServer } from '../operating-database.ts';
import type { ServiceDatabase } from '../start/service-database.ts';
import { CheckFailed, runCheck } from './check.ts';
import type { Check, Finding } from './check.ts';
import { checkClock, checkCommits, checkWrites } from './commit-checks.ts';
import { checkPooling, checkTimeouts, describeServer, readSessions } from './session-checks.ts';

interface DatabaseChecks {
  readonly checks: readonly Check[];
  /** The signing keys of the moment; undefined if they could not be read. */
  readonly kids: readonly string[] | undefined;
}

/**
 * Checks that the database is reachable, recent enough and in UTC, that all migrations are applied, that sessions have
 * their timeouts and keep the actor through a pooler, that writes succeed and how long they take, that the clocks agree, and that
 * SECRET_KEYS decrypts the signing keys. Warns of another number of proxies than TRUST_PROXY, and of tables without a partition for tomorrow.
 */
export async function checkDatabase(config: Config): Promise<DatabaseChecks> {
  let kids: readonly string[] | undefined;
  let checks: readonly Check[] = [];
  const reached = await runCheck('database', () =>
    withServer(config, async (server) => {
      const migrations = await checkMigrations(server); // throws if the server cannot be reached or is too old
      checks = [migrations];
      // Other statements need the tables.
      if (!migrations.ok) return 'can be reached';
      const sessions = await readSessions(server);
      await using db = openDatabase({ url: server.url, poolSize: 1, ...server.sessions });
      checks = [
        migrations,
        await checkTimeouts(sessions),
        await checkPooling(server, sessions),
        await checkWrites(db),
        await checkClock(db),
        await checkCommits(db),
        await checkKeys(config, db, (published) => (kids = published)),
        await checkProxy(config, db),
        await checkTokenBounds(config, db),
        await checkPartitions(db),
      ];
      return describeServer(server, sessions);
    }),
  );
  return { checks: [reached, ...checks], kids };
}

async function checkMigrations({ directUrl }: ServiceDatabase): Promise<Check> {
  const { applied, pending, later, batches } = await readMigrationStatus(directUrl, migrationsDirectory, version);
  const unfinished = [...later, ...batches.filter(({ finished }) => !finished).map(({ name }) => name)];
  return await runCheck('migrations', () => {
    if (pending.length === 0) return Promise.resolve(describeApplied(applied.length, unfinished));
    throw new CheckFailed(`Not applied: ${pending.join(', ')}. Run "linnet migrate".`, 'Run "linnet migrate".');
  });
}

function describeApplied(applied: number, unfinished: readonly string[]): Finding {
  if (unfinished.length === 0) return { detail: `all ${String(applied)} applied` };
  return {
    detail: `To be finished when no server of the previous version runs: ${unfinished.join(', ')}.`,
    warning: true,
    remedy: 'Run "linnet migrate run --phase after" then.',
  };
}

function checkKeys(config: Config, db: Db, found: (kids: readonly string[]) => void): Promise<Check> {
  return runCheck('keys', async () => {
    const { current } = await loadKeyRing(db, await resolveSecretKeys(config));
    found(Object.values(current).map(({ kid }) => kid));
    return 'SECRET_KEYS decrypts the signing keys';
  });
}

/** A warning, not a failure: a client inside the network can send X-Forwarded-For too. */
function checkProxy({ trustProxy }: Config, db: Db): Promise<Check> {
  return runCheck('proxy', async () => {
    const mistake = findProxyMistake(trustProxy, (await findRecordedProxies(db)) ?? 0);
    if (mistake === undefined) return `TRUST_PROXY is ${String(trustProxy)}, and no request contradicts it`;
    return {
      detail: `In the last 24 hours ${mistake}.`,
      warning: true,
      remedy: 'Set TRUST_PROXY to the number of proxies in front of the service, and restart it.',
    };
  });
}

/** Says which lifetimes the operator allows, and how many applications have chosen longer ones. */
function checkTokenBounds({ tokenBounds }: Config, db: Db): Promise<Check> {
  return runCheck('token-lifetimes', async () => {
    const { accessToken, refreshToken, refreshTokenTotal } = tokenBounds;
    const count = await countShortenedLifetimes(db, tokenBounds);
    const bounds = `access tokens last up to ${String(accessToken)} s, refresh tokens up to ${String(refreshToken)} s without use and ${String(refreshTokenTotal)} s in total`;
    return count === 0 ? bounds : `${bounds}; shorter than what applications have chosen: ${String(count)}`;
  });
}

const secondsPerHour = 3600;
const leastHoursAhead = 24;

/** A warning, not a failure: without a partition, rows are stored elsewhere, where they cost more to delete. */
function checkPartitions(db: Db): Promise<Check> {
  return runCheck('partitions', async () => {
    const hours: [table: string, hours: number][] = [];
    for (const each of Object.values(partitionedTables)) {
      const seconds = await readSecondsAhead(db, each);
      if (seconds !== undefined) hours.push([each.table, Math.floor(seconds / secondsPerHour)]);
    }
    if (hours.length === 0) return 'there are none before the phase after';
    const detail = hours.map(([table, left]) => `${table}: for the next ${String(Math.max(0, left))} hours`).join(', ');
    if (hours.every(([, left]) => left >= leastHoursAhead)) return detail;
    return {
      detail: `A partition for tomorrow is missing. ${detail}.`,
      warning: true,
      remedy: 'A running server creates them every ten minutes. Look for the job "partitions" in its log.',
    };
  });
}
