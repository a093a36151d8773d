/** The post object, as the floor builds it: with code of its own, in the order of Linnet's members. */
import { hash } from 'node:crypto';

import { timeOfId } from '@linnet/db/text/id-time';
import type { AccountRow } from '@linnet/social/account/account-row';
import type { PostMedia } from '@linnet/social/media/media-row';
import type { PostRow } from '@linnet/social/post/post-view';

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function toCreated(at: Date): string {
  const [hour, minute] = [at.getUTCHours(), String(at.getUTCMinutes()).padStart(2, '0')];
  const date = `${String(days[at.getUTCDay()])}, ${String(months[at.getUTCMonth()])} ${String(at.getUTCDate())}`;
  return `${date}, ${String(at.getUTCFullYear())} ${String(hour % 12 || 12)}:${minute} ${hour < 12 ? 'AM' : 'PM'}`;
}

function toAccount(row: AccountRow, baseUrl: string) {
  const avatar =
    row.avatar === null
      ? `avatars/${hash('sha256', `avatar ${String(row.id)}`).slice(0, 16)}.png`
      : `thumb/${row.avatar}`;
  return {
    ...{
      objectType: 'account',
      kind: 'linnet#account',
      id: row.id,
      username: row.username,
      displayName: row.displayName,
    },
    ...{
      name: { first_name: row.firstName, last_name: row.lastName },
      description: row.description,
      country: row.country,
    },
    ...{ link: `${baseUrl}/@${row.username}`, verified: row.verified ? 1 : 0, avatar: `${baseUrl}/media/${avatar}` },
    action: { followers: row.followersCount, following: row.followingCount, posts: row.postsCount },
  };
}

function toAuthor(row: PostRow): AccountRow {
  return {
    ...{ id: row['author.id'], username: row['author.username'], displayName: row['author.displayName'] },
    ...{ firstName: row['author.firstName'], lastName: row['author.lastName'], description: row['author.description'] },
    ...{ country: row['author.country'], verified: row['author.verified'], avatar: row['author.avatar'] },
    ...{ followersCount: row['author.followersCount'], followingCount: row['author.followingCount'] },
    postsCount: row['author.postsCount'],
  };
}

function toPictures(media: readonly PostMedia[], baseUrl: string) {
  const at = (folder: string, name: string) => `${baseUrl}/media/${folder}${name}`;
  const files = media.slice(0, 1).map(({ name, bytes }) => ({ name, filesize: bytes, download: at('', name) }));
  return {
    media: { image: media[0] === undefined ? null : at('display/', media[0].name), files },
    attachments: media.map(({ id, name, alt, width, height, blurhash }) => ({
      ...{ id, image: at('display/', name), thumbnail: at('thumb/', name), download: at('', name) },
      ...{ alt, width, height, blurhash },
    })),
  };
}

function toCard(card: PostRow['card']) {
  if (card === null || card === undefined) return {};
  return { card: { url: card.url, title: card.title, description: card.description, site_name: card.siteName } };
}

type Written = Pick<
  PostRow,
  'id' | 'text' | 'createdAt' | 'versionId' | 'media' | 'hashtags' | 'urls' | 'mentions' | 'mentionSpans'
>;

function toWritten(row: Written, author: AccountRow, baseUrl: string) {
  const { id, text, createdAt, versionId, hashtags, urls, mentions, mentionSpans } = row;
  const editedAt = versionId === null ? undefined : timeOfId(versionId);
  // Those of accounts that the reader may see.
  const shown = new Set(mentions?.map((account) => account.id));
  const spans = (mentionSpans ?? []).flatMap((one) =>
    shown.has(one.id) ? one.indices.map((indices) => ({ id: one.id, indices })) : [],
  );
  return {
    ...{ id, text, created: toCreated(createdAt), created_at: createdAt.toISOString() },
    ...(editedAt && { edited: toCreated(editedAt), edited_at: editedAt.toISOString() }),
    ...{
      link: `${baseUrl}/p/${String(id)}`,
      user: toAccount(author, baseUrl),
      ...toPictures(row.media ?? [], baseUrl),
    },
    ...{ hashtags, urls, mentions: spans },
    user_definition: (mentions ?? []).map((account) => toAccount(account, baseUrl)),
  };
}

function toQuote(quote: PostRow['quote'], baseUrl: string) {
  if (quote === null || quote === undefined) return {};
  if (quote.post === null) return { quote: { status: 'unavailable' } };
  const { author, createdAt, sensitive, ...written } = quote.post;
  const post = toWritten({ ...written, createdAt: new Date(createdAt) }, author, baseUrl);
  return { quote: { status: 'available', post: { ...post, sensitive: sensitive ? 1 : 0 } } };
}

/** Builds the post object. `marks`: what the reader has to do with it. */
export function toPostOfFloor(row: PostRow, marks: number, baseUrl: string): object {
  return {
    ...toWritten(row, toAuthor(row), baseUrl),
    ...toCard(row.card),
    ...toQuote(row.quote, baseUrl),
    action: { likes: row.likesCount, comments: row.commentsCount, reposts: row.repostsCount },
    ...{ commenters: row.commenters, sensitive: row.sensitive ? 1 : 0 },
    viewer: {
      liked: marks & 1,
      reposted: (marks >> 1) & 1,
      bookmarked: (marks >> 2) & 1,
      can_comment: (marks >> 3) & 1,
    },
  };
}
