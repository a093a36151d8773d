import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

import type { FoundArtifact, NewArtifact } from '../storage/artifact-store.ts';

export const pushedRequestKind = 'PushedAuthorizationRequest';

/** How long a person may take on our pages. */
const interactionSeconds = 3600;

const openStatement = statement<
  readonly [idSha256: Buffer, seconds: number],
  { payload: Readonly<Record<string, unknown>>; is_consumed: boolean }
>(
  'pushed_request_open',
  `UPDATE oauth_artifact SET expires_at = GREATEST(expires_at, created_at + make_interval(secs => $2))
    WHERE kind = '${pushedRequestKind}' AND id_sha256 = $1 AND expires_at > now()
   RETURNING payload, consumed_at IS NOT NULL AS is_consumed`,
);

type FoundRequest = Pick<FoundArtifact, 'payload' | 'isConsumed'>;

/**
 * Finds a pushed request that has not expired, and keeps it for as long as an interaction lasts. One that nobody opens
 * is deleted soon after it expires.
 */
export async function openPushedRequest(db: Queryable, idSha256: Buffer): Promise<FoundRequest | undefined> {
  const [row] = await db.query(openStatement, [idSha256, interactionSeconds]);
  return row === undefined ? undefined : { payload: row.payload, isConsumed: row.is_consumed };
}

const replaceStatement = statement<readonly [idSha256: Buffer, payload: string, expiresAt: Date], never>(
  'pushed_request_replace',
  `INSERT INTO oauth_artifact (kind, id_sha256, payload, expires_at) VALUES ('${pushedRequestKind}', $1, $2::jsonb, $3)
   ON CONFLICT (kind, id_sha256) DO UPDATE
      SET payload = EXCLUDED.payload, expires_at = EXCLUDED.expires_at, created_at = now(), consumed_at = NULL`,
);

/** Inserts a pushed request, or replaces it by one that has no response yet. */
export async function replacePushedRequest(
  db: Queryable,
  { idSha256, payload, expiresAt }: Pick<NewArtifact, 'idSha256' | 'payload' | 'expiresAt'>,
): Promise<void> {
  await db.query(replaceStatement, [idSha256, JSON.stringify(payload), expiresAt]);
}
