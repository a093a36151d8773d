/**
 * Device codes (RFC 8628). The decision and the poll counter each change in one conditional statement, because the
 * page and the device act at the same time.
 */
import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

import { parseChain, startChain } from '../storage/chain-store.ts';

export const deviceKind = 'DeviceCode';

/** Minimum interval between two polls in seconds (RFC 8628 §3.2). */
export const pollSeconds = 5;
const slowestPollSeconds = 60;
/** Tolerance: a device that sleeps for exactly the interval may arrive a little early. */
const earlySeconds = 1;

/** SQL condition: the person has not decided yet. */
const isPending = `kind = '${deviceKind}' AND consumed_at IS NULL AND expires_at > now() AND NOT payload ?| ARRAY['accountId', 'error']`;

type Payload = Readonly<Record<string, unknown>>;

interface PendingDevice {
  readonly idSha256: Buffer;
  readonly payload: Payload;
}

const findStatement = statement<readonly [userCode: string], { id_sha256: Buffer; payload: Payload }>(
  'device_find',
  `SELECT id_sha256, payload FROM oauth_artifact WHERE payload ->> 'userCode' = $1 AND ${isPending}`,
);

/** The pending request with this user code. */
export async function findPendingDevice(db: Queryable, userCode: string): Promise<PendingDevice | undefined> {
  const [row] = await db.query(findStatement, [userCode]);
  return row === undefined ? undefined : { idSha256: row.id_sha256, payload: row.payload };
}

const decideStatement = statement<
  readonly [idSha256: Buffer, payload: string, grantId: string | null, chainId: string | null],
  { decided: number }
>(
  'device_decide',
  `UPDATE oauth_artifact SET payload = payload || $2::jsonb, grant_id = $3, chain_id = $4
    WHERE id_sha256 = $1 AND ${isPending}
   RETURNING 1 AS decided`,
);

interface Decision {
  readonly idSha256: Buffer;
  readonly decision: object;
  /** Of an approval. */
  readonly grantId?: string;
}

/** Stores the decision. Of several concurrent calls exactly one returns true. */
export async function decideDevice(db: Queryable, { idSha256, decision, grantId }: Decision): Promise<boolean> {
  const id = grantId === undefined ? undefined : startChain(grantId);
  const payload = JSON.stringify({ ...decision, grantId: id });
  const chainId = id === undefined ? null : (parseChain(id).chainId ?? null);
  const rows = await db.query(decideStatement, [idSha256, payload, grantId ?? null, chainId]);
  return rows.length > 0;
}

const pollStatement = statement<readonly [idSha256: Buffer], { is_early: boolean }>(
  'device_poll',
  `WITH before AS (
     SELECT kind, id_sha256, COALESCE((payload ->> 'interval')::int, ${String(pollSeconds)}) AS seconds,
            COALESCE((payload ->> 'polledAt')::numeric, 0) AS polled_at, EXTRACT(EPOCH FROM clock_timestamp()) AS now
       FROM oauth_artifact WHERE id_sha256 = $1 AND ${isPending} FOR UPDATE
   ), checked AS (
     SELECT *, now < polled_at + seconds - ${String(earlySeconds)} AS is_early FROM before
   )
   UPDATE oauth_artifact a SET payload = a.payload || jsonb_build_object('polledAt', checked.now, 'interval',
          CASE WHEN is_early THEN LEAST(seconds + ${String(pollSeconds)}, ${String(slowestPollSeconds)}) ELSE seconds END)
     FROM checked WHERE a.kind = checked.kind AND a.id_sha256 = checked.id_sha256
   RETURNING is_early`,
);

/** Counts a poll of a pending device. Returns true if it came too early; the interval then grows. */
export async function pollDevice(db: Queryable, idSha256: Buffer): Promise<boolean> {
  const [row] = await db.query(pollStatement, [idSha256]);
  return row?.is_early === true;
}
