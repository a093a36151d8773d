import { toAccountRow } from '../account/account-row.ts';
import { toAccount } from '../account/account-view.ts';
import { unmarkedViewer } from './marked-body.ts';
import { toSettings } from '../post/post-view.ts';
import { createBoundedMemory } from './post-parts-store.ts';
import { toCreated } from '../view-context.ts';
import { groupByPost, toMediaOfPost } from '../media/media-row.ts';
import { toPictures } from '../media/media-view.ts';
import type { ViewContext } from '../view-context.ts';
import type { ListedPostRow, PostsPage } from './listed-post-row.ts';
import type { PostParts } from './post-parts-store.ts';

/**
 * Writes an item of a page as JSON text, without marks. @throws Error if the page lacks an account, which is a bug in its
 * statement
 */
type WriteItem = (row: ListedPostRow, parts: PostParts) => string;

/** JSON texts of accounts by id. */
type AccountTexts = ReadonlyMap<number, string>;

/** The texts of some 4,000 accounts, or of the pictures of some 3,000 posts. */
const maxTextBytes = 4 * 2 ** 20;

/**
 * Returns what writes the items of a page. The texts of accounts and pictures are remembered by all that PostgreSQL returned of
 * them, so a text is used again only for the same account or pictures with the same values.
 */
export function createItemWriters(context: ViewContext): (page: PostsPage) => WriteItem {
  const toAccountText = rememberAccountTexts(context);
  const toPictureText = rememberPictureTexts(context);
  const noPictures = toPictureText([]);

  return ({ found, approved, marked }) => {
    const viewerOf = (row: ListedPostRow) => (marked === undefined ? '' : `,${unmarkedViewer(row)}`);
    const accounts = new Map([...(found.accounts ?? []), ...approved].map(toAccountText));
    const media = groupByPost(found.media ?? []);
    const picturesOf = (postId: number) => {
      const records = media.get(postId);
      return records === undefined ? noPictures : toPictureText(records);
    };
    return (row, { authorId, written, entities, mentionIds }) => {
      const user = textOf(accounts, authorId);
      const mentions = mentionIds.length === 0 ? '' : toMentions(mentionIds, accounts);
      const repost = row.repost === undefined ? '' : `,"repost":${toRepost(row.itemId, row.repost, accounts)}`;
      return `{${written},"user":${user},${picturesOf(row.id)},${entities},"user_definition":[${mentions}],"action":${toCounters(row)},${toSettingsText(row)}${viewerOf(row)}${repost}}`;
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
    // URLs of protected pictures are signed for a limited time.
    if (!pictures.some((picture) => picture.protected)) texts.add(key, text, 2 * (key.length + text.length));
    return text;
  };
}

function textOf(accounts: AccountTexts, id: number): string {
  const text = accounts.get(id);
  if (text === undefined) throw new Error('a page of posts lacks an account');
  return text;
}

/** The page has only those of the accounts that the viewer may see. */
function toMentions(ids: readonly number[], accounts: AccountTexts): string {
  return ids
    .map((id) => accounts.get(id))
    .filter((text) => text !== undefined)
    .join(',');
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
