/** Links in mail. Their tokens are stored as SHA-256, expire and can be used once. */
import { createHmac, hash, hkdfSync } from 'node:crypto';

import { isKept } from '@linnet/accounts/deletion-period';
import { retention } from '@linnet/db/keep/retention';
import { createSweep } from '@linnet/db/keep/sweep';
import { statement } from '@linnet/db/statement/statement';
import type { Queryable, Transactional } from '@linnet/db/statement/transaction';
import type { Secret } from '@linnet/service/config/secret';

export type LinkPurpose = 'verify_email' | 'change_email' | 'reset_password';

export interface NewLink {
  readonly tokenSha256: Buffer;
  readonly purpose: LinkPurpose;
  readonly accountId: number;
  /** The address that it is sent to. */
  readonly email: string;
  readonly lifetimeSeconds: number;
  /** The pending change that it confirms. */
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
  // Mail that is sent again contains the same link, whose lifetime restarts. The change may have been cancelled.
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
  /** The change that it confirms was cancelled or replaced. */
  readonly isWithdrawn: boolean;
}

/**
 * SQL condition: not expired, the account exists, is not hidden and still has the address. The owner of a deleted account who forgot
 * the password needs a new one to restore it, that of a suspended one to appeal.
 */
const isValid = `l.expires_at > clock_timestamp()
  AND (a.hidden_at IS NULL OR (l.purpose = 'reset_password' AND ${isKept('a')}))
  AND (l.purpose = 'change_email' OR a.email_ci = lower(l.email))`;

const findStatement = statement<readonly [tokenSha256: Buffer], Link>(
  'mail_link_find',
  `SELECT l.purpose::text AS purpose, l.account_id AS "accountId", l.email, l.used_at IS NOT NULL AS "isUsed",
          l.purpose = 'change_email' AND l.used_at IS NULL AND l.change_id IS NULL AS "isWithdrawn"
     FROM mail_link l JOIN account a ON a.id = l.account_id WHERE l.token_sha256 = $1 AND ${isValid}`,
);

/** Undefined if the link is unknown or not valid. */
export async function findLink(db: Queryable, tokenSha256: Buffer): Promise<Link | undefined> {
  const [link] = await db.query(findStatement, [tokenSha256]);
  return link;
}

const useStatement = statement<readonly [tokenSha256: Buffer], { readonly used: number }>(
  'mail_link_use',
  // Confirming deletes the pending change. Cancelling deletes the same row, so only one of them succeeds.
  `WITH confirmed AS (
     DELETE FROM email_change c USING mail_link m
      WHERE m.token_sha256 = $1 AND m.used_at IS NULL AND m.change_id = c.id RETURNING c.id)
   UPDATE mail_link l SET used_at = clock_timestamp() FROM account a
    WHERE a.id = l.account_id AND l.token_sha256 = $1 AND l.used_at IS NULL AND ${isValid}
      AND (l.purpose <> 'change_email' OR EXISTS (SELECT FROM confirmed)) RETURNING 1 AS used`,
);

/**
 * Uses the link; of several concurrent calls exactly one returns true. Call it in the transaction that carries out the
 * link's purpose, and roll back if it returns false.
 */
export async function useLink(tx: Queryable, tokenSha256: Buffer): Promise<boolean> {
  return (await tx.query(useStatement, [tokenSha256])).length > 0;
}

const refuseStatement = statement<readonly [accountId: number, email: string], never>(
  'mail_link_refuse',
  `UPDATE mail_link SET refused_at = clock_timestamp()
    WHERE account_id = $1 AND email = $2 AND purpose = 'verify_email'`,
);

/** Call when a message that verifies the address of an account is given up. */
export async function refuseVerification(db: Queryable, accountId: number, email: string): Promise<void> {
  await db.query(refuseStatement, [accountId, email]);
}

const refusedStatement = statement<readonly [accountId: number, email: string], { readonly isRefused: boolean | null }>(
  'mail_link_refused',
  // A link that is sent after the refusal hides it.
  `SELECT bool_and(refused_at IS NOT NULL) AS "isRefused" FROM mail_link
    WHERE account_id = $1 AND email = $2 AND purpose = 'verify_email'`,
);

/** Whether the last message that verifies the address was given up. */
export async function isVerificationRefused(db: Queryable, accountId: number, email: string): Promise<boolean> {
  const [found] = await db.query(refusedStatement, [accountId, email]);
  return found?.isRefused === true;
}

const sweeps = [
  createSweep('mail_link', {
    table: 'mail_link',
    where: `expires_at < now() - interval '${retention.mail_link.expired}' ORDER BY expires_at`,
  }),
  createSweep('email_change', {
    table: 'email_change',
    where: `expires_at < now() - interval '${retention.email_change.expired}' ORDER BY expires_at`,
  }),
  createSweep('known_device', {
    table: 'known_device',
    where: `seen_at < now() - interval '${retention.known_device.seen}' ORDER BY seen_at`,
  }),
];

/** Deletes expired links and changes, and devices that were not seen for more than a year. */
export async function sweepLinks(db: Transactional, stopping?: AbortSignal): Promise<void> {
  for (const sweep of sweeps) await sweep(db, stopping);
}

const tokenBytes = 24;
const tokenPattern = /^[\w-]{32}$/;

/**
 * The token of the link in the mail `mailId`. It is derived, so a message that is sent again contains the same token, and the
 * database stores its hash only.
 */
export function deriveToken(secret: Secret, mailId: number): string {
  const key = Buffer.from(hkdfSync('sha256', secret.reveal(), '', 'linnet link in mail', 32));
  const mac = createHmac('sha256', key)
    .update(`mail ${String(mailId)}`)
    .digest();
  return mac.subarray(0, tokenBytes).toString('base64url');
}

/** The stored hash of a token; undefined for a malformed token. */
export function hashToken(token: string): Buffer | undefined {
  return tokenPattern.test(token) ? hash('sha256', token, 'buffer') : undefined;
}
