import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { isStandby, readEndOfLog } from '@linnet/db/connection/replicas';
import { openDatabase } from '@linnet/db/database';
import { statement } from '@linnet/db/statement/statement';
import type { Queryable } from '@linnet/db/statement/transaction';
import { probeBucket } from '@linnet/media/storage/bucket/bucket-probe';
import { openStorages } from '@linnet/media/storage/open-storage';
import { probeCache } from '@linnet/service/cache/connection';
import { isLoopbackHost } from '@linnet/service/config/environment';

import type { Config } from '../config.ts';
import { CheckFailed, findReason, runCheck } from './check.ts';
import type { Check, Finding } from './check.ts';
import { checkFolder } from './machine-checks.ts';

/** To the microsecond, so no other server has the same, whatever host name or pooler leads to it. */
const startTime = statement<readonly [], { readonly started: string }>(
  'server_start_time',
  'SELECT pg_postmaster_start_time()::text AS started',
);

/** Each server of DATABASE_REPLICA_URL must respond and be a standby, or be the primary that DATABASE_URL leads to at the moment. */
export async function checkReplicas(config: Config): Promise<readonly Check[]> {
  const { replicaUrls, databaseSessions } = config;
  const checks: Check[] = [];
  for (const [index, secret] of replicaUrls.entries()) {
    const url = secret.reveal();
    const { host } = new URL(url);
    const check = await runCheck(`replica-${String(index + 1)}`, async () => {
      await using db = openDatabase({ ...databaseSessions, url, poolSize: 1 });
      const standby = await isStandby(db).catch((error: unknown) => {
        throw new CheckFailed(
          `DATABASE_REPLICA_URL: ${host} cannot be read (${findReason(error)})`,
          'Check that this standby runs, that this machine reaches it, and that host, user, password and database of DATABASE_REPLICA_URL are correct. Until then the primary answers everything.',
          { cause: error },
        );
      });
      if (standby) return await describeLag(config, { host, db });
      if (await isPrimary(config, db)) return `${host} is the primary, and will be read as soon as it is a standby`;
      throw new CheckFailed(
        `${host} is no standby, so nothing is read from it`,
        'Name standbys of DATABASE_URL in DATABASE_REPLICA_URL. One that was promoted has to be set up again.',
      );
    });
    checks.push(check);
  }
  return checks;
}

interface Standby {
  readonly host: string;
  readonly db: Queryable;
}

const patienceMs = 2000;
const pollEveryMs = 50;

/** Waits until the standby has what the primary has committed now. @throws CheckFailed if it does not catch up */
async function describeLag({ databaseUrl, databaseSessions }: Config, { host, db }: Standby): Promise<string> {
  if (databaseUrl === undefined) return `${host} is a standby`;
  await using primary = openDatabase({ ...databaseSessions, url: databaseUrl.reveal(), poolSize: 1 });
  const startedAt = performance.now();
  const end = await readEndOfLog(primary);
  let behind = end - (await readEndOfLog(db));
  for (; behind > 0 && performance.now() - startedAt < patienceMs; behind = end - (await readEndOfLog(db))) {
    await delay(pollEveryMs);
  }
  if (behind <= 0) return `${host} is a standby and has what the primary has`;
  throw new CheckFailed(
    `${host} is ${String(behind)} bytes of the log behind the primary and does not catch up, so nothing is read from it`,
    'Check that replay is not paused (SELECT pg_wal_replay_resume()), that the standby receives the log (pg_stat_wal_receiver), and its disk.',
  );
}

async function isPrimary({ databaseUrl, databaseSessions }: Config, server: Queryable): Promise<boolean> {
  if (databaseUrl === undefined) return false;
  await using primary = openDatabase({ ...databaseSessions, url: databaseUrl.reveal(), poolSize: 1 });
  const [[here], [there]] = await Promise.all([server.query(startTime, []), primary.query(startTime, [])]);
  return here !== undefined && here.started === there?.started;
}

/** With CACHE_URL, its server must count for us. */
export async function checkCacheServer({ cacheUrl, serviceName }: Config): Promise<readonly Check[]> {
  if (cacheUrl === undefined) return [];
  const { host, hostname, protocol } = new URL(cacheUrl.reveal());
  const check = await runCheck('cache', async () => {
    await probeCache(cacheUrl, serviceName).catch((error: unknown) => {
      throw new CheckFailed(
        `CACHE_URL: the server ${host} cannot be used (${error instanceof Error ? error.message : String(error)})`,
        'Check that Valkey or Redis runs and that this machine reaches it, and correct host, port, user and password of CACHE_URL. Its user needs the commands EVAL, EVALSHA, SET, MGET, INCRBY, PTTL, EXPIRE, INFO, HELLO and CLIENT.',
        { cause: error },
      );
    });
    const detail = `the server ${host} counts`;
    if (protocol === 'rediss:' || isLoopbackHost(hostname)) return detail;
    return {
      detail: `${detail}; the connection is not encrypted`,
      warning: true,
      remedy: 'Use rediss:// in CACHE_URL, unless only trusted machines are on that network.',
    };
  });
  return [check];
}

/** A folder must take files. A bucket must store, return, list and remove an object, for us only. */
export function checkMediaStore(config: Config): Promise<Check> {
  return runCheck('media-store', async () => {
    await using storages = openStorages(config);
    const { bucket } = storages;
    if (bucket === undefined) return await checkFolder(join(config.dataDir, 'media'));
    const { isPublic } = await probeBucket(bucket.client).catch((error: unknown) => {
      throw new CheckFailed(
        `The bucket cannot be used: ${error instanceof Error ? error.message : String(error)}`,
        'Check S3_ENDPOINT, S3_REGION, S3_PATH_STYLE and the keys, that the clock of this machine is right, and that the keys may get, put, list and delete objects below S3_PREFIX.',
        { cause: error },
      );
    });
    const isUsed = config.media.store === 's3';
    const detail = isUsed
      ? 'the bucket stores files'
      : 'files are stored in DATA_DIR/media, and read from the bucket too';
    return { detail, ...findRisk(config, isPublic) };
  });
}

function findRisk({ media: { bucket } }: Config, isPublic: boolean): Partial<Finding> {
  if (isPublic) {
    return {
      detail: 'everyone can read the objects of the bucket, also images of protected accounts',
      warning: true,
      remedy: 'Remove the policy that makes the bucket public.',
    };
  }
  const endpoint = new URL(bucket?.endpoint ?? 'https://localhost');
  if (endpoint.protocol === 'https:' || isLoopbackHost(endpoint.hostname)) return {};
  return {
    detail: 'the bucket stores files; requests to it are not encrypted',
    warning: true,
    remedy: 'Use https:// in S3_ENDPOINT, unless only trusted machines are on that network.',
  };
}
