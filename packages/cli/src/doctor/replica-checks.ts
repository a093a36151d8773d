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
      if (await isStandby(db)) return `${host} is a standby`;
      throw new CheckFailed(
        `${host} is no standby, so nothing is read from it`,
        'Name standbys of DATABASE_URL in DATABASE_REPLICA_URL. One that was promoted has to be set up again.',
      );
    });
    checks.push(check);
  }
  return checks;
}
