/** Advice for the owner of an application about its secrets. */

/** A secret as its owner sees it. */
export interface OwnedSecret {
  readonly id: string;
  /** Undefined: shown by its creation date. */
  readonly name: string | undefined;
  readonly createdAt: Date;
  readonly expiresAt: Date | undefined;
  readonly lastUsedAt: Date | undefined;
  /** How often the application authenticated with it. */
  readonly uses: number;
}

/** Why a secret can be retired: it is unused, and another one is in use. */
export interface RetirementReason {
  /** The last use; undefined: never used. */
  readonly unusedSince: Date | undefined;
  /** The secret that is used instead. */
  readonly other: OwnedSecret;
}

const dayMs = 86_400_000;
/** Longer than a week, because of weekly jobs. */
const unusedDays = 8;
/** How long before its expiry the owner is warned about a secret. */
export const warningDays = 14;

export function expiresSoon({ expiresAt }: Pick<OwnedSecret, 'expiresAt'>, now: Date): boolean {
  return expiresAt !== undefined && expiresAt.getTime() - now.getTime() <= warningDays * dayMs;
}

/** Secrets that were created for at most this long end as planned, such as those of the playground. */
export const shortLivedDays = 1;

function isShortLived({ createdAt, expiresAt }: Pick<OwnedSecret, 'createdAt' | 'expiresAt'>): boolean {
  return expiresAt !== undefined && expiresAt.getTime() - createdAt.getTime() <= shortLivedDays * dayMs;
}

/** Whether the application has no other lasting secret among its active ones. */
export function isLastSecret(secret: OwnedSecret, active: readonly OwnedSecret[]): boolean {
  return !isShortLived(secret) && active.every((other) => other.id === secret.id || isShortLived(other));
}

/** Whether the owner should replace the secret before it ends. */
export function needsReplacement(secret: Pick<OwnedSecret, 'createdAt' | 'expiresAt'>, now: Date): boolean {
  return !isShortLived(secret) && expiresSoon(secret, now);
}

/**
 * Why retiring `secret` should break nothing; undefined if it may still be in use. Requires another secret that was used
 * recently and does not expire soon.
 */
export function findRetirementReason(
  secret: OwnedSecret,
  active: readonly OwnedSecret[],
  now: Date,
): RetirementReason | undefined {
  const limit = new Date(now.getTime() - unusedDays * dayMs);
  if ((secret.lastUsedAt ?? secret.createdAt) > limit) return undefined;
  const inUse = active.filter(
    (other) =>
      other.id !== secret.id && other.lastUsedAt !== undefined && other.lastUsedAt > limit && !expiresSoon(other, now),
  );
  const [other] = inUse.toSorted((a, b) => b.uses - a.uses);
  return other === undefined ? undefined : { unusedSince: secret.lastUsedAt, other };
}
