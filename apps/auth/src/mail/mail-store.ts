/** The table `mail`: the queue of outgoing mail. Triggers write most rows (`prisma/migrations/…_mail`). */
import { isKept } from '@linnet/accounts/deletion-period';
import { retention } from '@linnet/db/keep/retention';
import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

export type MailKind =
  | 'verify_email'
  | 'reset_password'
  | 'change_email'
  | 'email_change_asked'
  | 'email_changed'
  | 'password_changed'
  | 'new_sign_in'
  | 'new_application'
  | 'factor_changed'
  | 'application_notice'
  | 'webhook_off'
  | 'sign_in_attempts'
  | 'account_deleted'
  | 'account_restored'
  | 'account_suspended'
  | 'suspension_ended'
  | 'registration_approved'
  | 'registration_refused'
  | 'report_decided'
  | 'content_deleted'
  | 'proposals'
  | 'import_ended';

/** Mail that this process may send until the lease ends. */
export interface ClaimedMail {
  readonly id: number;
  readonly kind: MailKind;
  readonly accountId: number | null;
  readonly recipient: string;
  readonly detail: Readonly<Record<string, unknown>>;
  /** Including this one. */
  readonly attempts: number;
  readonly createdAt: Date;
}

/** SQL: whether `claimMail` finds some. */
export const isMailDue = 'EXISTS (SELECT 1 FROM mail WHERE due_at <= now())';

const claimStatement = statement<readonly [limit: number, leaseSeconds: number], ClaimedMail>(
  'mail_claim',
  `UPDATE mail SET attempts = attempts + 1, due_at = clock_timestamp() + make_interval(secs => $2)
    WHERE id IN (SELECT id FROM mail WHERE due_at <= clock_timestamp()::timestamptz(3) ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING id, kind::text AS kind, account_id AS "accountId", recipient, detail, attempts, created_at AS "createdAt"`,
);

/** Claims due mail for the lease. After a crash, another process can claim it when the lease ends. */
export async function claimMail(db: Queryable, limit: number, leaseSeconds: number): Promise<readonly ClaimedMail[]> {
  return await db.query(claimStatement, [limit, leaseSeconds]);
}

const removeStatement = statement<readonly [id: number], never>(
  'mail_remove',
  'DELETE FROM mail WHERE id = $1 AND attempts > 0',
);

/** Call when it was sent or is no longer needed. A message about proposals that has grown since it was claimed stays. */
export async function removeMail(db: Queryable, id: number): Promise<void> {
  await db.query(removeStatement, [id]);
}

const postponeStatement = statement<readonly [id: number, seconds: number], never>(
  'mail_postpone',
  'UPDATE mail SET due_at = clock_timestamp() + make_interval(secs => $2) WHERE id = $1',
);

export async function postponeMail(db: Queryable, id: number, seconds: number): Promise<void> {
  await db.query(postponeStatement, [id, seconds]);
}

const holdStatement = statement<readonly [id: number, from: number], never>(
  'mail_hold',
  `UPDATE mail SET id = next_id(), attempts = 0, created_at = clock_timestamp(), due_at = clock_timestamp() + interval '${retention.mail.proposals}',
     detail = detail || jsonb_build_object('from', $2::bigint) WHERE id = $1`,
);

/** Call when a message about proposals was sent or given up. Its row stays for an hour, and is about the next ones then. */
export async function holdProposals(db: Queryable, { id, detail }: ClaimedMail): Promise<void> {
  await db.query(holdStatement, [id, Number(detail['latest']) + 1]);
}

const askStatement = statement<
  readonly [kind: MailKind, accountId: number | null, recipient: string, detail: string],
  never
>('mail_ask', 'INSERT INTO mail (kind, account_id, recipient, detail) VALUES ($1::mail_kind, $2, $3, $4::jsonb)');

/** Queues a reset link. Whether the account exists is checked when the mail is composed. */
export async function queuePasswordReset(db: Queryable, email: string): Promise<void> {
  await db.query(askStatement, ['reset_password', null, email, '{}']);
}

const againStatement = statement<readonly [accountId: number], { readonly asked: number }>(
  'mail_verify_again',
  `INSERT INTO mail (kind, account_id, recipient)
   SELECT 'verify_email', id, email FROM account WHERE id = $1 AND email_verified_at IS NULL AND deleted_at IS NULL
   RETURNING 1 AS asked`,
);

/** Queues a link that verifies the account's address, unless it is verified. */
export async function queueVerification(db: Queryable, accountId: number): Promise<void> {
  await db.query(againStatement, [accountId]);
}

/** The recipient's account. */
export interface Addressee {
  readonly id: number;
  readonly username: string;
  readonly email: string;
  readonly language: string;
  readonly isEmailVerified: boolean;
  /** Set for a deleted account that can still be restored. */
  readonly deletedAt: Date | null;
  readonly suspendedAt: Date | null;
  /** What the operator shows. */
  readonly suspensionReason: string | null;
}

const addressee = `SELECT id, username, email, language, email_verified_at IS NOT NULL AS "isEmailVerified",
     deleted_at AS "deletedAt", suspended_at AS "suspendedAt", suspension_reason AS "suspensionReason"
   FROM account a WHERE ${isKept('a')}`;

const byIdStatement = statement<readonly [id: number], Addressee>('mail_addressee', `${addressee} AND id = $1`);
const byEmailStatement = statement<readonly [emailCi: string], Addressee>(
  'mail_addressee_email',
  `${addressee} AND email_ci = $1`,
);

export async function findAddressee(db: Queryable, accountId: number): Promise<Addressee | undefined> {
  const [found] = await db.query(byIdStatement, [accountId]);
  return found;
}

export async function findAddresseeByEmail(db: Queryable, email: string): Promise<Addressee | undefined> {
  const [found] = await db.query(byEmailStatement, [email.toLowerCase()]);
  return found;
}

const takenStatement = statement<readonly [emailCi: string, accountId: number], { readonly taken: number }>(
  'mail_address_taken',
  'SELECT 1 AS taken FROM account WHERE email_ci = $1 AND id <> $2',
);

/** Whether another account has the address. */
export async function isAddressTaken(db: Queryable, email: string, accountId: number): Promise<boolean> {
  return (await db.query(takenStatement, [email.toLowerCase(), accountId])).length > 0;
}
