import type { Db } from '@linnet/db/database';
import type { Queryable } from '@linnet/db/statement/transaction';
import { toId } from '@linnet/db/to-id';

import { findModeration } from '../suspension-store.ts';
import type { Moderation } from '../suspension-store.ts';

/** An account as operators see it, suspended and deleted ones included. */
export interface PersonFacts extends Moderation {
  readonly id: number;
  readonly username: string;
  readonly displayName: string;
  readonly email: string;
  readonly isEmailConfirmed: boolean;
  readonly isVerified: boolean;
  readonly isProtected: boolean;
  readonly createdAt: Date;
  readonly suspendedAt: Date | null;
  /** What the person was shown. */
  readonly suspensionReason: string | null;
  /** What the person says to it. */
  readonly appeal: string | null;
  readonly appealedAt: Date | null;
  readonly deletedAt: Date | null;
  readonly operatorSince: Date | null;
  readonly posts: number;
  readonly followers: number;
  readonly passkeys: number;
  readonly hasAuthenticatorApp: boolean;
  /** Applications that it owns. */
  readonly applications: number;
}

/** Undefined if there is no such account, or it was erased. */
export async function findPersonFacts(
  db: Pick<Db, 'prisma'> & Queryable,
  accountId: number,
): Promise<PersonFacts | undefined> {
  const account = await db.prisma.account.findUnique({
    where: { id: accountId, erasedAt: null },
    omit: { passwordHash: true },
    include: { totp: { select: { accountId: true } }, _count: { select: { passkeys: true, applications: true } } },
  });
  if (account === null) return undefined;
  const { username, displayName, email, createdAt, suspendedAt, deletedAt, operatorSince, _count: counts } = account;
  const { suspensionReason, appeal, appealedAt } = account;
  return {
    ...{ username, displayName, email, createdAt, suspendedAt, deletedAt, operatorSince, ...counts },
    ...{ suspensionReason, appeal, appealedAt },
    ...(await findModeration(db, accountId)),
    id: toId(account.id),
    isEmailConfirmed: account.emailVerifiedAt !== null,
    isVerified: account.verified,
    isProtected: account.protected,
    posts: account.postsCount,
    followers: account.followersCount,
    hasAuthenticatorApp: account.totp !== null,
  };
}
