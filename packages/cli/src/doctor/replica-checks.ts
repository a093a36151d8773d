import { setTimeout as delay } from 'node:timers/promises';

import { openDatabase } from '@linnet/db/database';
import type { Queryable } from '@linnet/db/statement/transaction';
import { isStandby, readEndOfLog } from '@linnet/db/connection/replicas';
import { statement } from '@linnet/db/statement/statement';

import type { Config } from '../config.ts';
import { CheckFailed, runCheck } from './check.ts';
import type { Check } from './check.ts';

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

/** What the database or the network said. */
function findReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
