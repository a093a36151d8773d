/** The export of an account as a ZIP file, for the account area and operators. `POST /account/export` returns the same data in parts. */
import { exportFiles, exportSchema } from '@linnet/contract/export-files';
import type { ExportFile } from '@linnet/contract/export-files';
import type { Queryable } from '@linnet/db/statement/transaction';
import { timeOfId } from '@linnet/db/text/id-time';
import type { MediaStorage } from '@linnet/media/storage/media-storage';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { toAuthor } from '../account/account-row.ts';
import { toAccount } from '../account/account-view.ts';
import { toCommentLink } from '../comment/comment-view.ts';
import { fromDraftJson, toDraft } from '../draft/draft-view.ts';
import { toWordFilter } from '../filter/word-filter-store.ts';
import { toPicture, toPostMedia } from '../media/media-view.ts';
import { toPreferences } from '../notification/notification-view.ts';
import { writtenAt } from '../post/post-edit-store.ts';
import { toImported, toPostWithAuthor } from '../post/post-view.ts';
import { toCreated } from '../view-context.ts';
import type { ViewContext } from '../view-context.ts';
import { exportBatchSize, exportEnd, exportStart, nextExportCursor } from './export-cursor.ts';
import type { ExportCursor } from './export-cursor.ts';
import { findExport } from './export-store.ts';
import type { ExportRow } from './export-store.ts';

export interface ExportSource {
  readonly db: Queryable;
  readonly storage: Pick<MediaStorage, 'open'>;
  readonly context: ViewContext;
}

export interface ExportArchive {
  /** Such as `ada-2026-11-20.zip`. */
  readonly fileName: string;
  /** Reads the database and the pictures as it is read. Fails if the account is deleted in the meantime. */
  readonly content: Readable;
}

type Part = ReturnType<typeof toPart>;

/** The kinds of records in the order of their files. */
const kinds: readonly (readonly [ExportFile, keyof ExportCursor, (part: Part) => readonly unknown[]])[] = [
  ['posts.json', 'posts', (part) => part.posts],
  ['history.json', 'history', (part) => part.history],
  ['reposts.json', 'reposts', (part) => part.reposts],
  ['comments.json', 'comments', (part) => part.comments],
  ['drafts.json', 'drafts', (part) => part.drafts],
  ['likes.json', 'likes', (part) => part.likes],
  ['bookmarks.json', 'bookmarks', (part) => part.bookmarks],
  ['following.json', 'following', (part) => part.follows.following],
  ['followers.json', 'followers', (part) => part.follows.followers],
  ['blocks.json', 'blocks', (part) => part.blocks],
  ['mutes.json', 'mutes', (part) => part.mutes],
  ['notifications.json', 'notifications', (part) => part.notifications],
  ['reports.json', 'reports', (part) => part.reports],
  ['media.json', 'media', (part) => part.media],
];

/**
 * A small account takes one statement, a large one a further statement per 500 records of a kind. Memory holds one part
 * and some of one picture at a time. `undefined`: the account does not exist.
 */
export async function openExport(source: ExportSource, accountId: number): Promise<ExportArchive | undefined> {
  const first = await findExport(source.db, accountId, exportStart);
  if (first === undefined) return undefined;
  const zip = new ZipFile();
  const content = Readable.from(zip.outputStream);
  const fail = (error: unknown) => content.destroy(error instanceof Error ? error : new Error(String(error)));
  zip.on('error', fail);
  fill({ zip, content }, source, { accountId, first }).catch(fail);
  return { fileName: `${first['author.username']}-${new Date().toISOString().slice(0, 10)}.zip`, content };
}

interface Archive {
  readonly zip: ZipFile;
  readonly content: Readable;
}

type Pieces = Iterable<string> | AsyncIterable<string>;

interface Exported {
  readonly accountId: number;
  readonly first: ExportRow;
}

async function fill(archive: Archive, source: ExportSource, exported: Exported): Promise<void> {
  const part = toPart(exported.first, source.context);
  const account = { version: '2.0', exported_at: new Date().toISOString(), profile: part.profile };
  const single: readonly (readonly [string, unknown])[] = [
    ['schema.json', exportSchema()],
    ['account.json', account],
    ['word_filters.json', part.word_filters],
    ['followed_hashtags.json', part.followed_hashtags],
    ['invitations.json', part.invitations],
    ['linked_providers.json', part.linked_providers],
    ['notification_preferences.json', part.notification_preferences],
  ];
  await add(archive, 'README.txt', [exportReadme(source.context.baseUrl)]);
  for (const [name, value] of single) await add(archive, name, [`${JSON.stringify(value, null, 2)}\n`]);
  for (const [name, kind, read] of kinds) await add(archive, name, toArray(readParts(source, exported, kind), read));
  for await (const { media } of readParts(source, exported, 'media')) {
    for (const { file } of media) await addPicture(archive, source, file);
  }
  archive.zip.end();
}

/** A picture whose file is lost is left out. */
async function addPicture(archive: Archive, { storage }: ExportSource, path: string): Promise<void> {
  await using file = await storage.open(path.slice(pictures.length), 'full');
  if (file === undefined) return;
  await add(archive, path, await file.read(0, file.bytes - 1));
}

/** Waits until the entry was read, so that the archive has no more than one open at a time. Pictures are compressed already. */
async function add({ zip, content }: Archive, name: string, pieces: Pieces): Promise<void> {
  const entry = pieces instanceof Readable ? pieces : Readable.from(pieces, { objectMode: false });
  const stop = () => entry.destroy();
  content.once('close', stop);
  if (content.destroyed) stop();
  else zip.addReadStream(entry, name, { compress: !name.startsWith(pictures) });
  await finished(entry).finally(() => content.off('close', stop));
}

async function* toArray(parts: AsyncIterable<Part>, read: (part: Part) => readonly unknown[]): AsyncIterable<string> {
  let separator = '[\n';
  for await (const part of parts) {
    const records = read(part);
    if (records.length === 0) continue;
    yield separator + records.map((record) => JSON.stringify(record)).join(',\n');
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

/** The records of one kind. A kind that does not fill the first part is complete. */
async function* readParts(
  { db, context }: ExportSource,
  { accountId, first }: Exported,
  kind: keyof ExportCursor,
): AsyncIterable<Part> {
  yield toPart(first, context);
  let cursor = first[kind].length < exportBatchSize ? undefined : nextExportCursor(first, exportStart);
  while (cursor !== undefined) {
    const onlyThisKind: ExportCursor = { ...exportEnd, [kind]: cursor[kind] };
    const row = await findExport(db, accountId, onlyThisKind);
    if (row === undefined) throw new Error('the account was deleted while it was exported');
    yield toPart(row, context);
    cursor = nextExportCursor(row, onlyThisKind);
  }
}

const pictures = 'media/';

/** With the names of the files of pictures. */
function toPart(row: ExportRow, context: ViewContext) {
  const { media, ...part } = toExport(row, { maySeeEmail: true }, context);
  return { ...part, media: media.map((one, index) => ({ ...one, file: pictures + (row.media[index]?.name ?? '') })) };
}

/** Explains the files of an export to the person. */
function exportReadme(baseUrl: string): string {
  const files = Object.entries(exportFiles).map(([name, { text }]) => `${name}\n  ${text}\n`);
  return `Your data on ${baseUrl}

This is everything that the service stores about your account and shows to you.
All files except this one and your pictures are JSON, in UTF-8. Times are in UTC.
Ids of posts and comments (item_id, comment_id) are those of their addresses.

schema.json
  A JSON Schema for programs: "properties" describes each file by its name.
${files.join('')}media/
  Your pictures in full size, as the service stores them. "file" in media.json names
  each. A picture whose file is lost is missing.
`;
}

/** Builds a part of the export (decisions, Details 4). Without the scope `email`, `email` is "" (D19) and no provider is listed. */
export function toExport(row: ExportRow, { maySeeEmail }: { readonly maySeeEmail: boolean }, context: ViewContext) {
  const account = toAccount(toAuthor(row), context);
  return {
    profile: {
      ...account,
      language: row.language,
      email: maySeeEmail ? row.email : '',
      ...createdFields(row.accountCreatedAt),
      protected: row.protected ? (1 as const) : (0 as const),
      quoters: row.quoters,
    },
    // Their author is the account.
    posts: row.posts.map(({ quoteId, ...post }) => {
      const { user: _user, ...own } = toPostWithAuthor(
        { ...post, createdAt: new Date(post.createdAt) },
        account,
        context,
      );
      return quoteId === null ? own : { ...own, quote_id: quoteId };
    }),
    history: row.history.map(toExportedVersion),
    reposts: row.reposts.map(({ postId, createdAt }) => ({ item_id: postId, ...createdFields(new Date(createdAt)) })),
    comments: row.comments.map((comment) => toExportedComment(comment, context)),
    drafts: row.drafts.map((draft) => toDraft(fromDraftJson(draft), context)),
    likes: row.likes.map(({ postId }) => ({ item_id: postId })),
    bookmarks: row.bookmarks.map(({ postId }) => ({ item_id: postId })),
    follows: {
      following: row.following.map((followed) => toAccount(followed.account, context)),
      followers: row.followers.map((follower) => toAccount(follower.account, context)),
    },
    blocks: row.blocks.map(({ account: blocked, createdAt }) => ({
      user: toAccount(blocked, context),
      ...createdFields(new Date(createdAt)),
    })),
    mutes: row.mutes.map(({ account: muted, createdAt, endsAt }) => ({
      user: toAccount(muted, context),
      ...createdFields(new Date(createdAt)),
      ...(endsAt === null ? {} : { ends: toCreated(new Date(endsAt)), ends_at: new Date(endsAt).toISOString() }),
    })),
    word_filters: row.filters.map(toExportedFilter),
    followed_hashtags: row.hashtags,
    invitations: row.invitations.map(toExportedInvitation),
    linked_providers: maySeeEmail ? row.providers.map(toExportedProvider) : [],
    notification_preferences: toPreferences(row.preferences),
    notifications: row.notifications.map((notification) => toExportedNotification(notification, context)),
    reports: row.reports.map(toReport),
    media: row.media.map((media) => toExportedMedia(media, context)),
  };
}

function toExportedComment(
  { id, postId, parentId, text, createdAt, imported }: ExportRow['comments'][number],
  context: ViewContext,
) {
  return {
    id,
    text,
    ...createdFields(new Date(createdAt)),
    ...toImported(imported),
    link: toCommentLink({ id, postId }, context),
    item_id: postId,
    parent_id: parentId ?? 0,
  };
}

function toExportedNotification(row: ExportRow['notifications'][number], context: ViewContext) {
  return {
    type: row.kind,
    user: toAccount(row.account, context),
    item_id: row.postId ?? 0,
    comment_id: row.commentId ?? 0,
    read: row.read ? (1 as const) : (0 as const),
    ...createdFields(timeOfId(row.id)),
  };
}

function toExportedMedia({ postId, createdAt, ...media }: ExportRow['media'][number], context: ViewContext) {
  return {
    id: media.id,
    item_id: postId ?? 0,
    media: toPostMedia(media, context),
    ...toPicture(media),
    ...createdFields(new Date(createdAt)),
  };
}

function toExportedVersion({ id, postId, text, postedAt }: ExportRow['history'][number]) {
  return { item_id: postId, text, ...createdFields(writtenAt({ id, postId, postedAt: new Date(postedAt) })) };
}

function toExportedFilter({ createdAt, endsAt, ...filter }: ExportRow['filters'][number]) {
  const end = endsAt === null ? null : new Date(endsAt);
  const { id: _id, ...exported } = toWordFilter({ ...filter, createdAt: new Date(createdAt), endsAt: end });
  return exported;
}

function toExportedInvitation({ note, uses, maxUses, createdAt, expiresAt }: ExportRow['invitations'][number]) {
  const end = new Date(expiresAt);
  const created = createdFields(new Date(createdAt));
  return { note, uses, max_uses: maxUses, ...created, ends: toCreated(end), ends_at: end.toISOString() };
}

function toExportedProvider({ issuer, name, subject, createdAt, lastUsedAt }: ExportRow['providers'][number]) {
  const used = lastUsedAt === null ? {} : { last_used_at: new Date(lastUsedAt).toISOString() };
  return { issuer, name, subject, ...createdFields(new Date(createdAt)), ...used };
}

function toReport({ type, subjectId, reason, text, createdAt, isOpen }: ExportRow['reports'][number]) {
  const status = isOpen ? ('open' as const) : ('closed' as const);
  return { item_id: subjectId, type, reason, text, status, ...createdFields(new Date(createdAt)) };
}

function createdFields(time: Date) {
  return { created: toCreated(time), created_at: time.toISOString() };
}
