/** Invitations to register (table `invitation`), by operators and by people. Their codes are stored as SHA-256. */
import { createHash, randomBytes } from 'node:crypto';

import { retention } from '@linnet/db/keep/retention';
import { createSweep } from '@linnet/db/keep/sweep';
import type { Queryable, Transactional } from '@linnet/db/statement/transaction';
import { requireRow, statement } from '@linnet/db/statement/statement';

/** What one person can have: invitations that still work at a time, uses of each, and days until each ends. */
export const personalLimits = { valid: 5, uses: 10, days: 30 } as const;

export interface Invitation {
  readonly id: number;
  /** Username of the person who made it; null: an operator did. */
  readonly owner: string | null;
  /** What its owner or operators call it. */
  readonly note: string;
  readonly uses: number;
  readonly maxUses: number;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

const columns = `i.id, a.username AS owner, i.note, i.uses, i.max_uses AS "maxUses", i.created_at AS "createdAt", i.expires_at AS "expiresAt"`;
const source = 'invitation i LEFT JOIN account a ON a.id = i.account_id';

const hashCode = (code: string): Buffer => createHash('sha256').update(code.trim()).digest();

type CreateParams = readonly [
  codeSha256: Buffer,
  note: string,
  maxUses: number,
  days: number,
  accountId: number | null,
  most: number,
];

const createStatement = statement<CreateParams, { readonly id: number }>(
  'invitation_create',
  `INSERT INTO invitation (code_sha256, note, max_uses, expires_at, account_id)
   SELECT $1::bytea, $2::text, $3::integer, now() + make_interval(days => $4), $5::bigint
    WHERE $5 IS NULL OR (SELECT count(*) FROM invitation WHERE account_id = $5 AND uses < max_uses AND expires_at > now()) < $6
   RETURNING id`,
);

interface NewInvitation {
  readonly note: string;
  readonly maxUses: number;
  readonly days: number;
}

/** `code`: nothing shows it again. */
interface CreatedInvitation {
  readonly id: number;
  readonly code: string;
}

/** For operators. */
export async function createInvitation(
  db: Queryable,
  { note, maxUses, days }: NewInvitation,
): Promise<CreatedInvitation> {
  const code = randomBytes(16).toString('base64url');
  const rows = await db.query(createStatement, [hashCode(code), note, maxUses, days, null, 0]);
  return { id: requireRow(rows, createStatement).id, code };
}

const lockStatement = statement<readonly [accountId: number], { readonly found: number }>(
  'invitation_owner',
  'SELECT 1 AS found FROM account WHERE id = $1 AND hidden_at IS NULL FOR NO KEY UPDATE',
);

/** Undefined: the person has as many as they can have that still work, or is suspended or deleted. */
export async function createPersonalInvitation(
  within: Transactional,
  accountId: number,
  { note, maxUses, days }: NewInvitation,
): Promise<CreatedInvitation | undefined> {
  const code = randomBytes(16).toString('base64url');
  return await within.transaction(async (tx) => {
    // The next statement then sees what concurrent requests made.
    if ((await tx.query(lockStatement, [accountId])).length === 0) return undefined;
    const params = [hashCode(code), note, maxUses, days, accountId, personalLimits.valid] as const;
    const [row] = await tx.query(createStatement, params);
    return row && { id: row.id, code };
  });
}

const listStatement = statement<readonly [before: number | null, limit: number], Invitation>(
  'invitations',
  `SELECT ${columns} FROM ${source} WHERE $1::bigint IS NULL OR i.id < $1 ORDER BY i.id DESC LIMIT $2`,
);

interface InvitationPage {
  /** Only invitations with a smaller id: created earlier. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** Newest first. */
export async function findInvitations(
  db: Queryable,
  { before, limit }: InvitationPage,
): Promise<readonly Invitation[]> {
  return await db.query(listStatement, [before ?? null, limit]);
}

const ownStatement = statement<readonly [accountId: number, limit: number, offset: number], Invitation>(
  'invitations_of_person',
  `SELECT ${columns} FROM ${source} WHERE i.account_id = $1 ORDER BY i.id DESC LIMIT $2 OFFSET $3`,
);

/** Those of a person, newest first; also what has ended less than 30 days ago. */
export async function findPersonalInvitations(
  db: Queryable,
  accountId: number,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<readonly Invitation[]> {
  return await db.query(ownStatement, [accountId, limit, offset]);
}

const deleteStatement = statement<readonly [id: number, accountId: number | null], { readonly id: number }>(
  'invitation_delete',
  'DELETE FROM invitation WHERE id = $1 AND ($2::bigint IS NULL OR account_id = $2) RETURNING id',
);

/** Returns false if there is no such invitation, or if it does not belong to `accountId`. */
export async function deleteInvitation(db: Queryable, id: number, accountId?: number): Promise<boolean> {
  return (await db.query(deleteStatement, [id, accountId ?? null])).length > 0;
}

export interface TakenInvitation {
  readonly id: number;
  /** The person who made it; null: an operator did. */
  readonly invitedBy: number | null;
  /** Whether that person is limited. */
  readonly isLimited: boolean;
}

const useStatement = statement<readonly [codeSha256: Buffer, mayPeopleInvite: boolean], TakenInvitation>(
  'invitation_use',
  `UPDATE invitation i SET uses = uses + 1
    WHERE code_sha256 = $1 AND uses < max_uses AND expires_at > now() AND (
      account_id IS NULL OR ($2 AND EXISTS (SELECT FROM account a WHERE a.id = i.account_id AND a.hidden_at IS NULL)))
   RETURNING id, account_id AS "invitedBy",
     EXISTS (SELECT FROM account a WHERE a.id = i.account_id AND a.limited_at IS NOT NULL) AS "isLimited"`,
);

const usedStatement = statement<readonly [accountId: number, invitationId: number, invitedBy: number | null], never>(
  'invitation_used',
  `SELECT audit('invitation.used', 'person', $1, NULL,
     jsonb_strip_nulls(jsonb_build_object('invitation', $2::bigint::text, 'invited_by', $3::bigint::text)))`,
);

/**
 * Counts a use. Undefined if the code is unknown or has expired, if all uses are taken, or if it is of a person who is suspended or
 * may not invite.
 */
export async function takeInvitation(
  tx: Queryable,
  code: string,
  mayPeopleInvite: boolean,
): Promise<TakenInvitation | undefined> {
  return (await tx.query(useStatement, [hashCode(code), mayPeopleInvite]))[0];
}

/** Records who registered with it. */
export async function recordInvitation(
  tx: Queryable,
  accountId: number,
  { id, invitedBy }: TakenInvitation,
): Promise<void> {
  await tx.query(usedStatement, [accountId, id, invitedBy]);
}

/** Deletes invitations that ended long ago. */
export const sweepInvitations = createSweep('invitation', {
  table: 'invitation',
  where: `expires_at <= now() - interval '${retention.invitation.expired}' ORDER BY expires_at`,
});
