/** What the owner of an application should know of its secrets. */

/** A secret as its owner sees it. */
export interface OwnedSecret {
  readonly id: string;
  /** Undefined for one that is called by its day. */
  readonly name: string | undefined;
  readonly createdAt: Date;
  readonly expiresAt: Date | undefined;
  readonly lastUsedAt: Date | undefined;
  /** How often an application proved who it is with it. */
  readonly uses: number;
}

/** Why a secret can go: nothing has used it for a while, and another one does its work. */
export interface RetirementReason {
  /** When it was used last; undefined: never since it was added. */
  readonly unusedSince: Date | undefined;
  /** The one that is used in its place. */
  readonly other: OwnedSecret;
}

const dayMs = 86_400_000;
/** Longer than what runs each week. */
const unusedDays = 8;
/** So long ahead of its end a secret is warned of. */
export const warningDays = 14;

/** Whether the secret ends soon. */
export function endsSoon({ expiresAt }: Pick<OwnedSecret, 'expiresAt'>, now: Date): boolean {
  return expiresAt !== undefined && expiresAt.getTime() - now.getTime() <= warningDays * dayMs;
}

/**
 * Why nothing should break when `secret` is retired, as far as anybody can tell; undefined when it may
 * still be in use. The other one was used within the time in which this one was not, and does not end soon.
 */
export function findRetirementReason(
  secret: OwnedSecret,
  living: readonly OwnedSecret[],
  now: Date,
): RetirementReason | undefined {
  const limit = new Date(now.getTime() - unusedDays * dayMs);
  if ((secret.lastUsedAt ?? secret.createdAt) > limit) return undefined;
  const inUse = living.filter(
    (one) => one.id !== secret.id && one.lastUsedAt !== undefined && one.lastUsedAt > limit && !endsSoon(one, now),
  );
  const [other] = inUse.toSorted((a, b) => b.uses - a.uses);
  return other === undefined ? undefined : { unusedSince: secret.lastUsedAt, other };
}
