import { createMarksOf, toPostViewer } from '../account/viewer-marks.ts';
import { createAttachedValue } from './attached-value.ts';
import type { MarkedPosts } from '../account/viewer-marks.ts';
import type { ListedPostRow } from './listed-post-row.ts';

const textOf = (marks: number) => JSON.stringify(toPostViewer(marks)).slice(1, -1);
const unmarked = textOf(0);
/** For each sum of the four marks, where its text has a 1 instead of the 0 of `unmarked`. */
const setDigits = Array.from({ length: 2 ** 4 }, (_none, marks) =>
  [...textOf(marks).matchAll(/1/g)].map(({ index }) => index),
);
const commentableAt = unmarked.lastIndexOf('0');
/** Before the last digit. Text of a person cannot contain it: its quotation marks would have backslashes. */
const pattern = Buffer.from(unmarked.slice(0, commentableAt));
/** Before its first digit. */
const beginning = Buffer.from(unmarked.slice(0, unmarked.indexOf('0')));
const open = `${unmarked.slice(0, commentableAt)}1${unmarked.slice(commentableAt + 1)}`;

/** The member `viewer` of a post without marks. It says that everyone can comment, unless the post is restricted. */
export function unmarkedViewer({ commenters }: Pick<ListedPostRow, 'commenters'>): string {
  return commenters === 'everyone' ? open : unmarked;
}

const one = '1'.charCodeAt(0);

/** The positions of `viewer` in bodies that several viewers share. */
const known = createAttachedValue<Buffer, readonly number[]>('positions');

/**
 * Returns a copy of the body of a page of posts without marks that has those of one viewer. A marked page of 70 posts so costs
 * a copy of its bytes; to write it again takes three times as long, most of it to collect garbage. `ids`: of the posts of
 * the page in their order.
 */
export function markBody(body: Buffer, ids: readonly number[], marked: Omit<MarkedPosts, 'filters'>): Buffer {
  const positions = known.get(body) ?? findPositions(body);
  known.set(body, positions);
  const marksOf = createMarksOf(marked);
  const copy = Buffer.from(body);
  for (const [index, position] of positions.entries()) {
    for (const digit of setDigits[marksOf(ids[index] ?? 0)] ?? []) copy[position + digit] = one;
  }
  return copy;
}

/**
 * Adds to each member `viewer` of a marked body the filters that match its post. `filtered`: in the order of the posts; undefined: the
 * viewer has no filters.
 */
export function addFiltered(body: Buffer, filtered: readonly (readonly string[])[] | undefined): Buffer {
  if (filtered?.some((texts) => texts.length > 0) !== true) return body;
  const pieces: Buffer[] = [];
  let end = 0;
  for (const texts of filtered) {
    // The length of its text is that of a post without marks.
    const closing = body.indexOf(beginning, end) + unmarked.length - 1;
    pieces.push(body.subarray(end, closing));
    if (texts.length > 0) pieces.push(Buffer.from(`,"filtered":${JSON.stringify(texts)}`));
    end = closing;
  }
  return Buffer.concat([...pieces, body.subarray(end)]);
}

function findPositions(body: Buffer): readonly number[] {
  const positions: number[] = [];
  for (let at = body.indexOf(pattern); at !== -1; at = body.indexOf(pattern, at + pattern.length)) positions.push(at);
  return positions;
}
