import { hash } from 'node:crypto';

import type { Account } from '@linnet/contract/objects';
import { encodePalettePng } from '@linnet/media/decode/png';
import { mediaPath } from '@linnet/media/media-address';

import type { ViewContext } from '../view-context.ts';
import type { AccountRow } from './account-row.ts';
import { toAccountViewer } from './viewer-marks.ts';
import type { Marks } from './viewer-marks.ts';

const fingerprintLength = 16;
const pathPattern = new RegExp(`^/media/avatars/([0-9a-f]{${String(fingerprintLength)}})\\.(png|svg)$`);

/** Path of the avatar of an account without a photo. It contains a hash, so that it does not reveal the id. */
export function defaultAvatarPath(accountId: number): string {
  const fingerprint = hash('sha256', `avatar ${String(accountId)}`);
  return `/media/avatars/${fingerprint.slice(0, fingerprintLength)}.png`;
}

/** The squares of the pattern, on a ground that is one square wider on each side. */
const [columns, drawnColumns, groundColumns] = [5, 3, 7];
const squarePixels = 36;
const [ground, ink] = [
  { saturation: 0.45, lightness: 0.92 },
  { saturation: 0.55, lightness: 0.42 },
];

interface DrawnAvatar {
  readonly type: 'png' | 'svg';
  readonly body: Buffer;
}

/**
 * Draws the picture for a path of `defaultAvatarPath`, or for the same path with `.svg`: a mirrored pattern of squares. The path
 * determines it (two hex digits give the hue, six give the squares), so nothing is stored or looked up. `undefined`: not such a path.
 */
export function drawDefaultAvatar(path: string): DrawnAvatar | undefined {
  const [, fingerprint, type] = pathPattern.exec(path) ?? [];
  if (fingerprint === undefined) return undefined;
  const hue = Math.round((Number.parseInt(fingerprint.slice(0, 2), 16) / 255) * 360);
  const isInk = squaresOf(Number.parseInt(fingerprint.slice(2, 8), 16));
  return type === 'svg' ? { type, body: drawSvg(hue, isInk) } : { type: 'png', body: drawPng(hue, isInk) };
}

type IsInk = (x: number, y: number) => boolean;

function squaresOf(bits: number): IsInk {
  return (x, y) => {
    const drawn = Math.min(x - 1, columns - x);
    const isInside = drawn >= 0 && y >= 1 && y <= columns;
    return isInside && ((bits >> ((y - 1) * drawnColumns + drawn)) & 1) === 1;
  };
}

function drawSvg(hue: number, isInk: IsInk): Buffer {
  const colourOf = ({ saturation, lightness }: typeof ground) =>
    `hsl(${String(hue)} ${String(saturation * 100)}% ${String(lightness * 100)}%)`;
  let squares = '';
  for (let x = 0; x < groundColumns; x += 1) {
    for (let y = 0; y < groundColumns; y += 1) {
      if (isInk(x, y)) squares += `<rect x="${String(x)}" y="${String(y)}" width="1" height="1"/>`;
    }
  }
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 7 7" width="252" height="252" shape-rendering="crispEdges">` +
      `<rect width="7" height="7" fill="${colourOf(ground)}"/><g fill="${colourOf(ink)}">${squares}</g></svg>`,
  );
}

function drawPng(hue: number, isInk: IsInk): Buffer {
  const [groundColour, inkColour] = [toRgba(hue, ground), toRgba(hue, ink)];
  const side = groundColumns * squarePixels;
  const pixels = Buffer.alloc(4 * side * side);
  for (let at = 0; at < side * side; at += 1) {
    const [x, y] = [at % side, Math.floor(at / side)].map((place) => Math.floor(place / squarePixels));
    pixels.writeUInt32BE(isInk(x ?? 0, y ?? 0) ? inkColour : groundColour, 4 * at);
  }
  return encodePalettePng(pixels, { width: side, height: side }) ?? Buffer.alloc(0);
}

/** Red, green, blue and alpha in one number, by the formula of CSS Color 4. */
function toRgba(hue: number, { saturation, lightness }: typeof ground): number {
  const amount = saturation * Math.min(lightness, 1 - lightness);
  const channel = (shift: number) => {
    const k = (shift + hue / 30) % 12;
    return Math.round(255 * (lightness - amount * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return Buffer.of(channel(0), channel(8), channel(4), 255).readUInt32BE();
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
