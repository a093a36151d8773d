import { durationOf, retention } from '@linnet/db/keep/retention';

/** SQL condition: the row `alias` of `account` is not deleted, or was deleted so recently that it can be restored. */
export const isKept = (alias: string): string =>
  `(${alias}.deleted_at IS NULL OR ${alias}.deleted_at > now() - interval '${retention.account.deleted}')`;

/** SQL condition: the deleted account `alias` can no longer be restored. */
export const isErasable = (alias: string): string =>
  `${alias}.deleted_at <= now() - interval '${retention.account.deleted}'`;

/** When an account that was deleted at `deletedAt` can no longer be restored. */
export function erasedFrom(deletedAt: Date): Date {
  return new Date(deletedAt.getTime() + durationOf(retention.account.deleted));
}
