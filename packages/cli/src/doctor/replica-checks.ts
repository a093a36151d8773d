import { openDatabase } from '@linnet/db/database';
import { isStandby } from '@linnet/db/replicas';

import type { Config } from '../config.ts';
import { CheckFailed, runCheck } from './check.ts';
import type { Check } from './check.ts';

/** Each server of DATABASE_REPLICA_URL must respond and be a standby. */
export async function checkReplicas({ replicaUrls, databaseSessions }: Config): Promise<readonly Check[]> {
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
      if (standby) return `${host} is a standby`;
      throw new CheckFailed(
        `${host} is no standby, so nothing is read from it`,
        'Name standbys of DATABASE_URL in DATABASE_REPLICA_URL. One that was promoted has to be set up again.',
      );
    });
    checks.push(check);
  }
  return checks;
}

/** What the database or the network said. */
function findReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
