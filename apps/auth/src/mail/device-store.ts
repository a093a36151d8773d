import { hash } from 'node:crypto';

import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

export interface SignInSession {
  readonly userAgent: string;
  readonly address: string;
}

const sessionStatement = statement<readonly [uid: string, accountId: number], SignInSession>(
  'mail_session',
  'SELECT user_agent AS "userAgent", address FROM session WHERE uid = $1 AND account_id = $2',
);

/** The origin of a sign-in. */
export async function findSignInSession(
  db: Queryable,
  uid: string,
  accountId: number,
): Promise<SignInSession | undefined> {
  const [found] = await db.query(sessionStatement, [uid, accountId]);
  return found;
}

const noteStatement = statement<
  readonly [accountId: number, deviceSha256: Buffer, mailId: number],
  { readonly isNew: boolean; readonly isFirst: boolean }
>(
  'known_device_note',
  // The subquery sees the table before the insert: is this the account's first device?
  `INSERT INTO known_device AS d (account_id, device_sha256, mail_id) VALUES ($1, $2, $3)
   ON CONFLICT (account_id, device_sha256) DO UPDATE SET seen_at = clock_timestamp()
   RETURNING d.mail_id = $3 AS "isNew",
     NOT EXISTS (SELECT 1 FROM known_device o WHERE o.account_id = $1 AND o.device_sha256 <> $2) AS "isFirst"`,
);

export interface SeenDevice {
  readonly accountId: number;
  /** The properties that distinguish devices. */
  readonly traits: readonly string[];
  /** The mail about the sign-in. If it is composed again, the device still counts as new. */
  readonly mailId: number;
}

/** Stores a device. Returns true if the account has other devices and this one is new. */
export async function rememberDevice(db: Queryable, { accountId, traits, mailId }: SeenDevice): Promise<boolean> {
  const deviceSha256 = hash('sha256', JSON.stringify(traits), 'buffer');
  const [seen] = await db.query(noteStatement, [accountId, deviceSha256, mailId]);
  return seen !== undefined && seen.isNew && !seen.isFirst;
}
