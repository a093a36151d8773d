import { hash } from 'node:crypto';

import type { Account } from '@linnet/contract/objects';
import { mediaPath } from '@linnet/media/media-address';

import type { ViewContext } from '../view-context.ts';
import type { AccountRow } from './account-row.ts';
import { toAccountViewer } from './viewer-marks.ts';
import type { Marks } from './viewer-marks.ts';

const fingerprintLength = 16;
const pathPattern = new RegExp(`^/media/avatars/([0-9a-f]{${String(fingerprintLength)}})\\.svg$`);

/** Path of the avatar of an account without a photo. It contains a hash, so that it does not reveal the id. */
export function defaultAvatarPath(accountId: number): string {
  const fingerprint = hash('sha256', `avatar ${String(accountId)}`);
  return `/media/avatars/${fingerprint.slice(0, fingerprintLength)}.svg`;
}

const columns = 5;
const drawnColumns = 3;

/**
 * Draws the SVG for a path that `defaultAvatarPath` returned: a mirrored pattern of squares. The path determines it
 * (two hex digits give the hue, six give the squares), so nothing is stored or looked up. `undefined`: not such a path.
 */
export function drawDefaultAvatar(path: string): string | undefined {
  const fingerprint = pathPattern.exec(path)?.[1];
  if (fingerprint === undefined) return undefined;
  const hue = Math.round((Number.parseInt(fingerprint.slice(0, 2), 16) / 255) * 360);
  const bits = Number.parseInt(fingerprint.slice(2, 8), 16);
  let squares = '';
  for (let cell = 0; cell < columns * drawnColumns; cell += 1) {
    if (((bits >> cell) & 1) === 0) continue;
    const x = cell % drawnColumns;
    const y = Math.floor(cell / drawnColumns);
    for (const column of new Set([x, columns - 1 - x])) {
      squares += `<rect x="${String(column + 1)}" y="${String(y + 1)}" width="1" height="1"/>`;
    }
  }
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 7 7" width="256" height="256" shape-rendering="crispEdges">` +
    `<rect width="7" height="7" fill="hsl(${String(hue)} 45% 92%)"/>` +
    `<g fill="hsl(${String(hue)} 55% 42%)">${squares}</g></svg>`
  );
}

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
