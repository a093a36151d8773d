/** Invitations to register (table `invitation`). Their codes are stored as SHA-256. */
import { createHash, randomBytes } from 'node:crypto';

import type { Queryable } from '@linnet/db/statement/transaction';
import { requireRow, statement } from '@linnet/db/statement/statement';

export interface Invitation {
  readonly id: number;
  /** What operators call it. */
  readonly note: string;
  readonly uses: number;
  readonly maxUses: number;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

const columns = `id, note, uses, max_uses AS "maxUses", created_at AS "createdAt", expires_at AS "expiresAt"`;

const hashCode = (code: string): Buffer => createHash('sha256').update(code.trim()).digest();

const createStatement = statement<
  readonly [codeSha256: Buffer, note: string, maxUses: number, days: number],
  { readonly id: number }
>(
  'invitation_create',
  `WITH added AS (
     INSERT INTO invitation (code_sha256, note, max_uses, expires_at) VALUES ($1, $2, $3, now() + make_interval(days => $4))
     RETURNING id
   )
   SELECT id, audit('invitation.created', 'service', NULL, NULL, jsonb_build_object('invitation', id::text)) FROM added`,
);

interface NewInvitation {
  readonly note: string;
  readonly maxUses: number;
  readonly days: number;
}

/** Returns the code, which nothing shows again. */
export async function createInvitation(
  db: Queryable,
  { note, maxUses, days }: NewInvitation,
): Promise<{ readonly id: number; readonly code: string }> {
  const code = randomBytes(16).toString('base64url');
  const rows = await db.query(createStatement, [hashCode(code), note, maxUses, days]);
  return { id: requireRow(rows, createStatement).id, code };
}

const listStatement = statement<readonly [before: number | null, limit: number], Invitation>(
  'invitations',
  `SELECT ${columns} FROM invitation WHERE $1::bigint IS NULL OR id < $1 ORDER BY id DESC LIMIT $2`,
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

const deleteStatement = statement<readonly [id: number], { readonly id: number }>(
  'invitation_delete',
  `WITH gone AS (DELETE FROM invitation WHERE id = $1 RETURNING id)
   SELECT id, audit('invitation.deleted', 'service', NULL, NULL, jsonb_build_object('invitation', id::text)) FROM gone`,
);

/** Returns false if there is no such invitation. */
export async function deleteInvitation(db: Queryable, id: number): Promise<boolean> {
  return (await db.query(deleteStatement, [id])).length > 0;
}

const useStatement = statement<readonly [codeSha256: Buffer], { readonly id: number }>(
  'invitation_use',
  `UPDATE invitation SET uses = uses + 1 WHERE code_sha256 = $1 AND uses < max_uses AND expires_at > now() RETURNING id`,
);

const usedStatement = statement<readonly [accountId: number, invitationId: number], never>(
  'invitation_used',
  `SELECT audit('invitation.used', 'person', $1, NULL, jsonb_build_object('invitation', $2::bigint::text))`,
);

/** Counts a use. Undefined if the code is unknown or has expired, or if all uses are taken. */
export async function takeInvitation(tx: Queryable, code: string): Promise<number | undefined> {
  return (await tx.query(useStatement, [hashCode(code)]))[0]?.id;
}

/** Records who registered with it. */
export async function recordInvitation(tx: Queryable, accountId: number, invitationId: number): Promise<void> {
  await tx.query(usedStatement, [accountId, invitationId]);
}
