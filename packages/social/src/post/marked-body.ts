import { createMarksOf, toPostViewer } from '../account/viewer-marks.ts';
import type { MarkedPosts } from '../account/viewer-marks.ts';

/** The member `viewer` of a post without marks. */
export const unmarkedViewer = JSON.stringify(toPostViewer(0)).slice(1, -1);

/** Text of a person cannot contain it: its quotation marks would have backslashes. */
const pattern = Buffer.from(unmarkedViewer);
/** Where the digits of the marks are in it. */
const [likedAt = 0, repostedAt = 0, bookmarkedAt = 0] = [...unmarkedViewer.matchAll(/0/g)].map(({ index }) => index);
const one = '1'.charCodeAt(0);

/** The positions of `viewer` in bodies that several viewers share. */
const known = new WeakMap<Buffer, readonly number[]>();

/**
 * Returns a copy of the body of a page of posts without marks that has those of one viewer. A marked page of 70 posts so costs
 * a copy of its bytes; to write it again takes three times as long, most of it to collect garbage. `ids`: of the posts of
 * the page in their order.
 */
export function markBody(body: Buffer, ids: readonly number[], marked: MarkedPosts): Buffer {
  const positions = known.get(body) ?? findPositions(body);
  known.set(body, positions);
  const marksOf = createMarksOf(marked);
  const copy = Buffer.from(body);
  for (const [index, position] of positions.entries()) {
    const { viewer } = toPostViewer(marksOf(ids[index] ?? 0));
    if (viewer?.liked === 1) copy[position + likedAt] = one;
    if (viewer?.reposted === 1) copy[position + repostedAt] = one;
    if (viewer?.bookmarked === 1) copy[position + bookmarkedAt] = one;
  }
  return copy;
}

function findPositions(body: Buffer): readonly number[] {
  const positions: number[] = [];
  for (let at = body.indexOf(pattern); at !== -1; at = body.indexOf(pattern, at + pattern.length)) positions.push(at);
  return positions;
}
