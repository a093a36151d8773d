import type { Account } from '@linnet/contract/objects';

import { mediaPath } from '@linnet/media/media-address';
import { toAccountViewer } from './viewer-marks.ts';
import type { Marks } from './viewer-marks.ts';
import { defaultAvatarPath } from './default-avatar.ts';
import type { AccountRow } from './account-row.ts';
import type { ViewContext } from '../view-context.ts';

/** Builds the account object (specification, Account). */
export function toAccount(row: AccountRow, { baseUrl, mediaUrl, serviceName }: ViewContext): Account {
  return {
    objectType: 'account',
    kind: `${serviceName}#account`,
    id: row.id,
    username: row.username,
    displayName: row.displayName,
    name: { first_name: row.firstName, last_name: row.lastName },
    description: row.description,
    country: row.country,
    link: `${baseUrl}/@${row.username}`,
    verified: row.verified ? 1 : 0,
    // The thumbnail is public, also that of a protected account.
    avatar: mediaUrl + (row.avatar === null ? defaultAvatarPath(row.id) : mediaPath('thumb', row.avatar)),
    action: { followers: row.followersCount, following: row.followingCount, posts: row.postsCount },
  };
}

/** An account in a list, or one that was looked up. */
export interface MarkedAccountRow extends AccountRow {
  readonly marks: Marks;
}

/** Builds the account object with `viewer`. */
export function toMarkedAccount(row: MarkedAccountRow, context: ViewContext): Account {
  return { ...toAccount(row, context), ...toAccountViewer(row.marks) };
}
