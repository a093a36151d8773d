/** Links that were sent by mail: a token is known by its SHA-256 alone, is good for a while and once. */
import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';

export type LinkPurpose = 'verify_email' | 'change_email' | 'reset_password';

export interface NewLink {
  readonly tokenSha256: Buffer;
  readonly purpose: LinkPurpose;
  readonly accountId: number;
  /** Where it is sent to. */
  readonly email: string;
  readonly lifetimeSeconds: number;
  /** The change of the address that it confirms. */
  readonly changeId?: number | undefined;
}

const saveStatement = statement<
  readonly [
    tokenSha256: Buffer,
    purpose: LinkPurpose,
    accountId: number,
    email: string,
    lifetimeSeconds: number,
    changeId: number | null,
  ],
  never
>(
  'mail_link_save',
  // Mail that is tried again carries the same link: its time begins when it is sent. A change that was taken back
  // meanwhile is none.
  `INSERT INTO mail_link (token_sha256, purpose, account_id, email, expires_at, change_id)
   VALUES ($1, $2::mail_link_purpose, $3, $4, clock_timestamp() + make_interval(secs => $5),
     (SELECT id FROM email_change WHERE id = $6))
   ON CONFLICT (token_sha256) DO UPDATE SET expires_at = EXCLUDED.expires_at`,
);

export async function saveLink(db: Queryable, link: NewLink): Promise<void> {
  const { tokenSha256, purpose, accountId, email, lifetimeSeconds, changeId = null } = link;
  await db.query(saveStatement, [tokenSha256, purpose, accountId, email, lifetimeSeconds, changeId]);
}

export interface Link {
  readonly purpose: LinkPurpose;
  readonly accountId: number;
  readonly email: string;
  readonly isUsed: boolean;
  /** The change that it was to confirm was taken back, or another one took its place. */
  readonly isWithdrawn: boolean;
}

/** Links of addresses that the account has no more are none; nor are those of accounts that are gone. */
const living = `l.expires_at > clock_timestamp() AND a.deleted_at IS NULL
  AND (l.purpose = 'change_email' OR a.email_ci = lower(l.email))`;

const findStatement = statement<readonly [tokenSha256: Buffer], Link>(
  'mail_link_find',
  `SELECT l.purpose::text AS purpose, l.account_id AS "accountId", l.email, l.used_at IS NOT NULL AS "isUsed",
          l.purpose = 'change_email' AND l.used_at IS NULL AND l.change_id IS NULL AS "isWithdrawn"
     FROM mail_link l JOIN account a ON a.id = l.account_id WHERE l.token_sha256 = $1 AND ${living}`,
);

/** Undefined when the link is unknown or its time is over. */
export async function findLink(db: Queryable, tokenSha256: Buffer): Promise<Link | undefined> {
  const [link] = await db.query(findStatement, [tokenSha256]);
  return link;
}

const useStatement = statement<readonly [tokenSha256: Buffer], { readonly used: number }>(
  'mail_link_use',
  // The change goes with the link that confirms it. Whoever takes it back deletes the same row: one of them does.
  `WITH confirmed AS (
     DELETE FROM email_change c USING mail_link m
      WHERE m.token_sha256 = $1 AND m.used_at IS NULL AND m.change_id = c.id RETURNING c.id)
   UPDATE mail_link l SET used_at = clock_timestamp() FROM account a
    WHERE a.id = l.account_id AND l.token_sha256 = $1 AND l.used_at IS NULL AND ${living}
      AND (l.purpose <> 'change_email' OR EXISTS (SELECT FROM confirmed)) RETURNING 1 AS used`,
);

/** Of many at once one uses the link. Part of the transaction that does what the link is for; false undoes it all. */
export async function useLink(tx: Queryable, tokenSha256: Buffer): Promise<boolean> {
  return (await tx.query(useStatement, [tokenSha256])).length > 0;
}

const sweepStatement = statement<readonly [], never>(
  'mail_link_sweep',
  `WITH links AS (DELETE FROM mail_link WHERE expires_at < now() - interval '1 day'),
        changes AS (DELETE FROM email_change WHERE expires_at < now() - interval '1 day')
   DELETE FROM known_device WHERE seen_at < now() - interval '400 days'`,
);

/** Removes links and changes of addresses that expired, and browsers that were not seen for more than a year. */
export async function sweepLinks(db: Queryable): Promise<void> {
  await db.query(sweepStatement, []);
}
