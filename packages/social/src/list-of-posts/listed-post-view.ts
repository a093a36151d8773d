import { EditedResponse, JsonText } from '@linnet/contract/json-text';
import type { ListedPost, Post } from '@linnet/contract/objects';
import type { Queryable } from '@linnet/db/statement/transaction';

import { toAccountRow } from '../account/account-row.ts';
import { toAccount } from '../account/account-view.ts';
import { createMarksOf, marksOfNewPost, toPostViewer } from '../account/viewer-marks.ts';
import type { MarkedPosts } from '../account/viewer-marks.ts';
import { createWordFilter } from '../filter/word-filter.ts';
import { toCard } from '../link-card/link-card-view.ts';
import { groupByPost, toMediaOfPost } from '../media/media-row.ts';
import { toPictures } from '../media/media-view.ts';
import { toMentionIndices } from '../post/linked-text.ts';
import type { MentionSpans } from '../post/linked-text.ts';
import { toSettings } from '../post/post-view.ts';
import { toCreated } from '../view-context.ts';
import type { ViewContext } from '../view-context.ts';
import { createAttachedValue } from './listed-post-row.ts';
import type { ListedPostRow, ListedQuote, PostsPage } from './listed-post-row.ts';
import { createBoundedMemory } from './post-parts-store.ts';
import type { PostParts, PostPartsMemory } from './post-parts-store.ts';

/** The member `viewer` for each sum of the four marks. */
const viewerTexts = Array.from({ length: 2 ** 4 }, (_none, marks) => JSON.stringify(toPostViewer(marks)).slice(1, -1));
const [unmarked = ''] = viewerTexts;
/** Where each of them has a 1 instead of the 0 of `unmarked`. */
const setDigits = viewerTexts.map((text) => [...text.matchAll(/1/g)].map(({ index }) => index));
const commentableAt = unmarked.lastIndexOf('0');
/** Before the last digit. Text of a person cannot contain it: its quotation marks would have backslashes. */
const pattern = Buffer.from(unmarked.slice(0, commentableAt));
/** Before its first digit. */
const beginning = Buffer.from(unmarked.slice(0, unmarked.indexOf('0')));

/** The member `viewer` of a post. Everyone can comment, unless the post is restricted. */
function toViewerText({ commenters }: Pick<ListedPostRow, 'commenters'>, marks: number): string {
  return viewerTexts[commenters === 'everyone' ? marks | marksOfNewPost : marks] ?? unmarked;
}

/**
 * Is the page read for its viewer alone, who has no filters? Then its marks are written with its items. `marked` of others belongs to one
 * of the viewers who share the page.
 */
function isOwn({ found, marked }: PostsPage): boolean {
  return Object.is(found, marked) && marked?.filters === null;
}

const one = '1'.charCodeAt(0);

/** The positions of `viewer` in bodies that several viewers share. */
const positionsOf = createAttachedValue<Buffer, readonly number[]>('positions');

/**
 * Returns a copy of the body of a page of posts without marks that has those of one viewer. A marked page of 70 posts so costs
 * a copy of its bytes; to write it again takes three times as long, most of it to collect garbage. `ids`: of the posts of
 * the page in their order.
 */
function markBody(body: Buffer, ids: readonly number[], marked: Omit<MarkedPosts, 'filters'>): Buffer {
  const positions = positionsOf.get(body) ?? findPositions(body);
  positionsOf.set(body, positions);
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
function addFiltered(body: Buffer, filtered: readonly (readonly string[])[] | undefined): Buffer {
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

/**
 * Writes an item of a page as JSON text, without marks unless the page `isOwn`. @throws Error if the page lacks an account, which is a bug in its
 * statement
 */
type WriteItem = (row: ListedPostRow, parts: PostParts, quoted: PostParts | undefined) => string;

/** JSON texts of accounts by id. */
type AccountTexts = ReadonlyMap<number, string>;

/** The texts of some 4,000 accounts, or of the pictures of some 3,000 posts. */
const maxTextBytes = 4 * 2 ** 20;

/**
 * Returns what writes the items of a page. The texts of accounts and pictures are remembered by all that PostgreSQL returned of
 * them, so a text is used again only for the same account or pictures with the same values.
 */
function createItemWriters(context: ViewContext): (page: PostsPage) => WriteItem {
  const toAccountText = rememberAccountTexts(context);
  const toPictureText = rememberPictureTexts(context);
  const noPictures = toPictureText([]);

  return (page) => {
    const { found, approved, marked } = page;
    const marksOf = marked !== undefined && isOwn(page) ? createMarksOf(marked) : () => 0;
    const viewerOf = (row: ListedPostRow) => (marked === undefined ? '' : `,${toViewerText(row, marksOf(row.id))}`);
    const accounts = new Map([...(found.accounts ?? []), ...approved].map(toAccountText));
    const media = groupByPost(found.media ?? []);
    const picturesOf = (postId: number) => {
      const records = media.get(postId);
      return records === undefined ? noPictures : toPictureText(records);
    };
    const cardOf = (postId: number) => {
      const card = found.cards?.[postId];
      return card === undefined ? '' : `,${JSON.stringify(toCard(card, context)).slice(1, -1)}`;
    };
    const quoteOf = (postId: number, parts: PostParts | undefined) => {
      const quote = found.quotes?.[postId];
      if (quote === undefined) return '';
      if (quote === null || parts === undefined) return ',"quote":{"status":"unavailable"}';
      const user = textOf(accounts, parts.authorId);
      return `,"quote":{"status":"available","post":{${parts.written},"user":${user},${picturesOf(quote.id)},${parts.entities},${toMentionsText(parts.mentions, accounts)},"sensitive":${quote.sensitive ? '1' : '0'}}}`;
    };
    return (row, { authorId, written, entities, mentions }, quoted) => {
      const user = textOf(accounts, authorId);
      const repost = row.repost === undefined ? '' : `,"repost":${toRepost(row.itemId, row.repost, accounts)}`;
      return `{${written},"user":${user},${picturesOf(row.id)},${entities},${toMentionsText(mentions, accounts)}${cardOf(row.id)}${quoteOf(row.id, quoted)},"action":${toCounters(row)},${toSettingsText(row)}${viewerOf(row)}${repost}}`;
    };
  };
}

/** Returns what writes the account of a record of `accountRecord`. */
function rememberAccountTexts(context: ViewContext): (record: string) => readonly [id: number, text: string] {
  const texts = createBoundedMemory<string, readonly [id: number, text: string]>(maxTextBytes);
  return (record) => {
    const known = texts.get(record);
    if (known !== undefined) return known;
    const row = toAccountRow(record);
    const entry = [row.id, JSON.stringify(toAccount(row, context))] as const;
    texts.add(record, entry, 2 * (record.length + entry[1].length));
    return entry;
  };
}

/** Returns what writes the members of a post that show its pictures, from their records. */
function rememberPictureTexts(context: ViewContext): (records: readonly string[]) => string {
  const texts = createBoundedMemory<string, string>(maxTextBytes);
  return (records) => {
    const key = records.join('');
    const known = texts.get(key);
    if (known !== undefined) return known;
    const pictures = records.map(toMediaOfPost);
    const text = JSON.stringify(toPictures(pictures, context)).slice(1, -1);
    // URLs of protected pictures are signed, for a limited time.
    if (pictures.every(({ reader }) => reader === null)) texts.add(key, text, 2 * (key.length + text.length));
    return text;
  };
}

function textOf(accounts: AccountTexts, id: number): string {
  const text = accounts.get(id);
  if (text === undefined) throw new Error('a page of posts lacks an account');
  return text;
}

/** The page has only those of the accounts that the viewer may see. */
function toMentionsText(mentions: readonly MentionSpans[], accounts: AccountTexts): string {
  if (mentions.length === 0) return '"mentions":[],"user_definition":[]';
  const indices = JSON.stringify(toMentionIndices(mentions, (id) => accounts.has(id)));
  const mentioned = mentions.map(({ id }) => accounts.get(id)).filter((text) => text !== undefined);
  return `"mentions":${indices},"user_definition":[${mentioned.join(',')}]`;
}

function toCounters({ likesCount, commentsCount, repostsCount }: ListedPostRow): string {
  return `{"likes":${String(likesCount)},"comments":${String(commentsCount)},"reposts":${String(repostsCount)}}`;
}

function toSettingsText(row: ListedPostRow): string {
  return row.commenters === 'everyone' && !row.sensitive ? usualSettings : settingsText(row);
}

const settingsText = (settings: Parameters<typeof toSettings>[0]) => JSON.stringify(toSettings(settings)).slice(1, -1);
const usualSettings = settingsText({ commenters: 'everyone', sensitive: false });

function toRepost(
  itemId: number,
  { accountId, time }: NonNullable<ListedPostRow['repost']>,
  accounts: AccountTexts,
): string {
  const createdAt = new Date(time);
  const times = JSON.stringify({ created: toCreated(createdAt), created_at: createdAt.toISOString() });
  return `{"id":${String(itemId)},"user":${textOf(accounts, accountId)},${times.slice(1)}`;
}

/** Builds the response of a list of posts and reposts, with its items as JSON text. */
export type ListedPostsView = (db: Queryable, page: PostsPage) => Promise<ListResponse | EditedResponse<ListResponse>>;

interface ListResponse {
  readonly total: number;
  readonly count: number;
  readonly items: JsonText<ListedPost[]>;
  readonly next?: string;
  readonly prev?: string;
}

interface ListedPosts {
  readonly response: ListResponse;
  /** Of the posts, in the order of the items; with the parts of what each quotes. */
  readonly ids: readonly number[];
  readonly parts: readonly (readonly PostParts[])[];
}

/** `memory` holds the parts of each version of a post; everything else is in the page. */
export function createListedPostsView(context: ViewContext, memory: PostPartsMemory): ListedPostsView {
  const toItemWriter = createItemWriters(context);
  /** Responses by the items, which concurrent requests for a page share: without an account, and without marks. */
  const sharedResponses = { anonymous: createResponses(), unmarked: createResponses() };

  async function write(db: Queryable, page: PostsPage): Promise<ListedPosts> {
    const { items: rows, total, found: _f, approved: _a, marked: _m, hasNewer: _n, ...cursors } = page;
    const { quotes } = page.found;
    const parts = await memory.find(db, quotes === null ? rows : [...rows, ...quotedIn(quotes)]);
    const writeItem = toItemWriter(page);
    const written = rows.flatMap((row) => {
      const known = parts.get(row.versionId);
      if (known === undefined) return [];
      const quoted = parts.get(quotes?.[row.id]?.versionId ?? 0);
      return [[row.id, writeItem(row, known, quoted), quoted === undefined ? [known] : [known, quoted]] as const];
    });
    const ids = written.map(([id]) => id);
    const items = new JsonText<ListedPost[]>(`[${written.map(([, text]) => text).join(',')}]`);
    const found = written.map(([, , known]) => known);
    return { response: { total, count: ids.length, items, ...cursors }, ids, parts: found };
  }

  /** The page without marks. It is the same for all who see no further accounts. */
  async function writeUnmarked(db: Queryable, page: PostsPage): Promise<ListedPosts> {
    const { approved, marked, items } = page;
    if (approved.length > 0) return await write(db, page);
    const responses = sharedResponses[marked === undefined ? 'anonymous' : 'unmarked'];
    const shared = responses.get(items) ?? write(db, page);
    responses.set(items, shared);
    return await shared;
  }

  return async (db, page) => {
    if (isOwn(page)) return (await write(db, page)).response;
    const { response, ids, parts } = await writeUnmarked(db, page);
    const { marked } = page;
    if (marked === undefined || hasNoMarks(marked)) return response;
    const filtered = findFiltered(parts, marked);
    return new EditedResponse(response, (body) => addFiltered(markBody(body, ids, marked), filtered));
  };
}

function quotedIn(quotes: NonNullable<PostsPage['found']['quotes']>): readonly ListedQuote[] {
  return Object.values(quotes).filter((quote) => quote !== null);
}

function hasNoMarks({ liked, reposted, bookmarked, commentable, filters }: MarkedPosts): boolean {
  return [liked, reposted, bookmarked, commentable, filters].every((marks) => marks === null);
}

/** The filters that match each post of a page. Undefined: the viewer has none. */
function findFiltered(
  parts: ListedPosts['parts'],
  { filters }: MarkedPosts,
): readonly (readonly string[])[] | undefined {
  if (filters === null) return undefined;
  const match = createWordFilter(filters);
  return parts.map((ofPost) => match(...ofPost.map(toText)));
}

function toText({ authorId, written }: PostParts) {
  const { text } = JSON.parse(`{${written}}`) as Pick<Post, 'text'>; // as `toWritten` writes it
  return { text, authorId };
}

function createResponses() {
  return createAttachedValue<PostsPage['items'], Promise<ListedPosts>>('response');
}
