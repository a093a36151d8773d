/** What the playground looks up: runs, and whether a secret works. */
import type { Db } from '@linnet/db/database';
import { toId } from '@linnet/db/text/id-time';

import type { RunKey, StoredRun } from './run-store.ts';

type Database = Pick<Db, 'prisma'>;

/** The run, unless it has expired. */
export async function findRun(db: Database, { accountId, clientId }: RunKey): Promise<StoredRun | undefined> {
  const [run] = await findRuns(db, accountId, { clientId });
  return run;
}

/** The active runs of an account: at most one per application. */
export async function findRuns(
  db: Database,
  accountId: number,
  where: { readonly clientId?: string } = {},
): Promise<readonly StoredRun[]> {
  const runs = await db.prisma.playgroundRun.findMany({
    where: { ...where, accountId, endsAt: { gt: new Date() } },
    omit: { createdAt: true },
    orderBy: { id: 'desc' },
  });
  return runs.map(({ id, sealedJwe, ...run }) => ({ ...run, id: toId(id), accountId, sealed: sealedJwe }));
}

/** Whether the application has an active secret with this digest (hex). */
export async function isActiveSecret(db: Database, clientId: string, sha256: string): Promise<boolean> {
  const found = await db.prisma.applicationSecret.count({
    where: {
      clientId,
      sha256: Buffer.from(sha256, 'hex'),
      OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }],
    },
  });
  return found > 0;
}
