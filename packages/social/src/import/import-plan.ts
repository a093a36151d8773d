/** What a file from elsewhere has for an account: posts and comments, oldest first. Nothing is stored yet. */
import { maxAltLength } from '@linnet/contract/attachment';
import { commentParameters, postParameters } from '@linnet/contract/writing';
import { commenters } from '@linnet/contract/commenters';
import type { Commenters } from '@linnet/contract/commenters';
import { Parser } from 'htmlparser2';
import { z } from 'zod';

import { toCommentLink } from '../comment/comment-view.ts';
import { readRepository } from './bluesky-repository.ts';
import type { BlueskyPost } from './bluesky-repository.ts';
import { ImportRefused, importLimits, listOf } from './import-archive.ts';
import type { ImportArchive } from './import-archive.ts';

/** Why something is left out. Of `quotes`, the post is stored without the quote; of `pictures`, without them. */
export type LeftOutReason =
  | ('text' | 'date' | 'comments' | 'quotes' | 'pictures' | 'history')
  | ('private' | 'polls' | 'reposts' | 'likes' | 'bookmarks' | 'follows');
export type LeftOut = Readonly<Partial<Record<LeftOutReason, number>>>;

interface PlannedPicture {
  /** The name of its entry. */
  readonly entry: string;
  readonly alt: string;
}

interface PlannedText {
  /** In the file. */
  readonly key: string;
  readonly text: string;
  readonly writtenAt: Date;
  /** Its id, if it is from this service. */
  readonly ownId?: number | undefined;
}

export interface PlannedPost extends PlannedText {
  readonly kind: 'post';
  readonly commenters: Commenters;
  readonly sensitive: boolean;
  readonly pictures: readonly PlannedPicture[];
  /** The key of a post of the same file. */
  readonly quote?: string | undefined;
}

export interface PlannedComment extends PlannedText {
  readonly kind: 'comment';
  /** The keys of the post, and of the comment that it replies to. */
  readonly post: string;
  readonly parent?: string | undefined;
}

export type PlannedItem = PlannedPost | PlannedComment;

export interface ImportPlan {
  readonly source: 'linnet' | 'mastodon' | 'bluesky';
  readonly items: readonly PlannedItem[];
  readonly leftOut: LeftOut;
}

/** @throws ImportRefused */
export async function readPlan(archive: ImportArchive, baseUrl: string): Promise<ImportPlan> {
  const counts = new Map<LeftOutReason, number>();
  const leaveOut = (reason: LeftOutReason, count = 1) => counts.set(reason, (counts.get(reason) ?? 0) + count);
  const { source, found } = await readItems(archive, baseUrl, leaveOut);
  const keys = new Set<string>();
  const items = found
    .filter((item) => isStorable(item, leaveOut))
    .toSorted(byTime)
    // A file may list one twice.
    .filter(({ key }) => keys.size < keys.add(key).size);
  if (items.length > importLimits.items) throw new ImportRefused('too-many-posts');
  return { source, items, leftOut: Object.fromEntries(counts) };
}

type LeaveOut = (reason: LeftOutReason, count?: number) => void;

async function readItems(
  archive: ImportArchive,
  baseUrl: string,
  leaveOut: LeaveOut,
): Promise<Pick<ImportPlan, 'source'> & { readonly found: readonly PlannedItem[] }> {
  const { carName } = archive;
  if (archive.has('posts.json')) return { source: 'linnet', found: await readExport(archive, baseUrl, leaveOut) };
  if (archive.has('outbox.json')) return { source: 'mastodon', found: await readOutbox(archive, leaveOut) };
  if (carName !== undefined) return { source: 'bluesky', found: await readBluesky(archive, carName, leaveOut) };
  throw new ImportRefused('unknown-files');
}

/** A comment comes after its post, also of the same time. */
function byTime(one: PlannedItem, other: PlannedItem): number {
  return one.writtenAt.getTime() - other.writtenAt.getTime() || other.kind.localeCompare(one.kind);
}

const earliest = Date.UTC(2000, 0, 1);

function isStorable(item: PlannedItem, leaveOut: LeaveOut): boolean {
  const time = item.writtenAt.getTime();
  if (!isTextOf(item.kind, item.text) || item.key.includes('\0')) leaveOut('text');
  else if (time < earliest || time > Date.now()) leaveOut('date');
  else return true;
  return false;
}

/** What is too long ends early. */
function toAlt(alt: string): string {
  return [...alt.replaceAll('\0', '')].slice(0, maxAltLength).join('');
}

function isTextOf(kind: PlannedItem['kind'], text: string): boolean {
  const parameter = kind === 'post' ? postParameters.message : commentParameters.text;
  return parameter.safeParse(text).success && !text.includes('\0');
}

const time = z.iso.datetime({ offset: true }).transform((given) => new Date(given));
const id = z.int().positive();
const flag = z.literal([0, 1]).default(0);

/** The members of an export that an import needs. */
const exported = {
  posts: listOf(
    z.object({
      ...{
        id,
        text: z.string(),
        created_at: time,
        sensitive: flag,
        quote_id: id.optional(),
        link: z.string().default(''),
      },
      commenters: z.enum(commenters).default('everyone'),
      attachments: listOf(z.object({ id }))
        .refine(({ length }) => length <= 4)
        .default([]),
    }),
  ),
  comments: listOf(
    z.object({
      ...{ id, text: z.string(), created_at: time, item_id: id, parent_id: z.int().default(0) },
      link: z.string().default(''),
    }),
  ),
  media: listOf(z.object({ id, file: z.string(), alt: z.string().default('') })),
  any: z.array(z.unknown()),
};

async function readExport(archive: ImportArchive, baseUrl: string, leaveOut: LeaveOut): Promise<PlannedItem[]> {
  const read = async <Value>(name: string, schema: z.ZodType<Value[]>) =>
    archive.has(name) ? await archive.readJson(name, schema) : [];
  const posts = await read('posts.json', exported.posts);
  const comments = await read('comments.json', exported.comments);
  const media = new Map((await read('media.json', exported.media)).map((one) => [one.id, one]));
  const known = new Set([...posts, ...comments].map((one) => one.id));
  for (const name of ['history', 'reposts', 'likes', 'bookmarks'] as const) {
    const left = (await read(`${name}.json`, exported.any)).length;
    if (left > 0) leaveOut(name, left);
  }
  const own = comments.filter((comment) => known.has(comment.item_id));
  if (own.length < comments.length) leaveOut('comments', comments.length - own.length);
  return [
    ...posts.map((post): PlannedPost => {
      const { quote_id: quote, link, created_at: writtenAt, text, commenters: who, attachments } = post;
      if (quote !== undefined && !known.has(quote)) leaveOut('quotes');
      return {
        ...{ kind: 'post', key: toKey(post.id), text, writtenAt, commenters: who, sensitive: post.sensitive === 1 },
        pictures: attachments.map((one) => ({
          entry: media.get(one.id)?.file ?? '',
          alt: toAlt(media.get(one.id)?.alt ?? ''),
        })),
        quote: quote !== undefined && known.has(quote) ? toKey(quote) : undefined,
        ownId: link === `${baseUrl}/p/${String(post.id)}` ? post.id : undefined,
      };
    }),
    ...own.map((comment): PlannedComment => {
      const { id: commentId, item_id: postId, parent_id: parent, created_at: writtenAt, text, link } = comment;
      const answered = known.has(parent) ? toKey(parent) : undefined;
      return {
        kind: 'comment',
        key: toKey(commentId),
        text,
        writtenAt,
        post: toKey(postId),
        parent: answered,
        ownId: link === toCommentLink({ id: commentId, postId }, { baseUrl }) ? commentId : undefined,
      };
    }),
  ];
}

/** Posts and comments have no id in common. */
function toKey(idInFile: number): string {
  return String(idInFile);
}

const everybody = 'https://www.w3.org/ns/activitystreams#Public';
const addressees = z.union([z.string().transform((one) => [one]), listOf(z.string())]).default([]);

const textOrNone = z
  .string()
  .nullish()
  .transform((given) => given ?? '');

const note = z.object({
  ...{ id: z.string(), type: z.string(), published: time, to: addressees, cc: addressees },
  ...{ summary: textOrNone, inReplyTo: textOrNone, content: textOrNone },
  sensitive: z
    .boolean()
    .nullish()
    .transform((given) => given === true),
  attachment: listOf(z.object({ url: z.string(), name: z.string().nullish() })).default([]),
});
type Note = z.infer<typeof note>;

/** The members of an outbox of ActivityPub, as Mastodon writes it to an archive. */
const outbox = z.object({
  orderedItems: listOf(
    z.union([z.object({ type: z.literal('Create'), object: note }), z.object({ type: z.string() })]),
  ),
});
const others = z.object({ orderedItems: z.array(z.unknown()) });

async function readOutbox(archive: ImportArchive, leaveOut: LeaveOut): Promise<PlannedItem[]> {
  const activities = (await archive.readJson('outbox.json', outbox)).orderedItems;
  for (const name of ['likes', 'bookmarks'] as const) {
    const entry = `${name}.json`;
    const left = archive.has(entry) ? (await archive.readJson(entry, others)).orderedItems.length : 0;
    if (left > 0) leaveOut(name, left);
  }
  const items = new Map<string, PlannedItem>();
  for (const activity of activities) if (activity.type === 'Announce') leaveOut('reposts');
  const notes = activities.flatMap((activity) => ('object' in activity ? [activity.object] : []));
  // Answers come after what they answer.
  for (const one of notes.toSorted((a, b) => a.published.getTime() - b.published.getTime())) {
    if (![...one.to, ...one.cc].includes(everybody)) leaveOut('private');
    else if (one.type === 'Note') items.set(one.id, toItem(one, archive, items));
    else leaveOut('polls');
  }
  return [...items.values()];
}

/** A plain answer to an own post is a comment, everything else a post. */
function toItem(one: Note, archive: ImportArchive, items: ReadonlyMap<string, PlannedItem>): PlannedItem {
  const pictures = one.attachment
    .slice(0, 4)
    .map(({ url, name }) => ({ entry: findEntry(url, archive), alt: toAlt(name ?? '') }));
  const isPlain = one.summary === '' && pictures.length === 0;
  const written = { key: one.id.slice(-255), text: toText(one), writtenAt: one.published };
  const above = items.get(one.inReplyTo);
  if (above !== undefined && isPlain) {
    return { ...written, kind: 'comment', ...toAnswered(above) };
  }
  const sensitive = one.sensitive || one.summary !== '';
  return { ...written, kind: 'post', commenters: 'everyone', sensitive, pictures };
}

function toAnswered(above: PlannedItem): Pick<PlannedComment, 'post' | 'parent'> {
  return above.kind === 'post' ? { post: above.key } : { post: above.post, parent: above.key };
}

/** The warning is the first line. Pictures without a text get a camera. */
function toText({ summary, content, attachment }: Note): string {
  const said = toPlainText(content) || (attachment.length > 0 ? '📷' : '');
  return summary === '' ? said : `${summary}\n\n${said}`;
}

/** Addresses begin with a slash, and on some servers with the name of a bucket. */
function findEntry(url: string, archive: ImportArchive): string {
  const names = [url.replace(/^\//, ''), url.slice(Math.max(url.indexOf('media_attachments/'), 0))];
  return names.find((name) => archive.has(name)) ?? '';
}

/** Text with line breaks, whole addresses, and mentions with their servers, so that they name nobody else here. */
function toPlainText(html: string): string {
  let text = '';
  let link: { readonly start: number; readonly href: string; readonly isName: boolean } | undefined;
  const parser = new Parser({
    onopentag: (name, { href = '', class: kind = '' }) => {
      if (name === 'br') text += '\n';
      if (name === 'p' && text !== '') text += '\n\n';
      if (name === 'a') link = { start: text.length, href, isName: /\b(?:mention|hashtag)\b/.test(kind) };
    },
    ontext: (piece) => {
      text += piece;
    },
    onclosetag: (name) => {
      if (name !== 'a' || link === undefined) return;
      const shown = text.slice(link.start);
      if (!link.isName) text = text.slice(0, link.start) + (link.href || shown);
      else if (shown.startsWith('@') && URL.canParse(link.href)) text += `@${new URL(link.href).host}`;
      link = undefined;
    },
  });
  parser.end(html);
  return text.trim();
}

const collectionsLeftOut = new Map<string, LeftOutReason>([
  ['app.bsky.feed.repost', 'reposts'],
  ['app.bsky.feed.like', 'likes'],
  ['app.bsky.graph.follow', 'follows'],
]);

async function readBluesky(archive: ImportArchive, carName: string, leaveOut: LeaveOut): Promise<PlannedItem[]> {
  const { posts, unreadable, records } = await archive.read(carName, importLimits.carBytes, readRepository);
  for (const [collection, left] of records) {
    const reason = collectionsLeftOut.get(collection);
    if (reason !== undefined) leaveOut(reason, left);
  }
  if (unreadable > 0) leaveOut('polls', unreadable);
  const items = new Map<string, PlannedItem>();
  for (const one of posts.toSorted((a, b) => a.writtenAt.getTime() - b.writtenAt.getTime())) {
    const item = toBlueskyItem(one, archive, items);
    if (item === undefined) leaveOut('comments');
    else items.set(one.key, item);
    if (item?.kind === 'post' && one.pictures.length > 4) leaveOut('pictures', one.pictures.length - 4);
  }
  return [...items.values()];
}

/** `undefined`: it replies to somebody else. Unlike on Mastodon, its text names nobody, so that it makes no sense alone. */
function toBlueskyItem(
  { key, texts, writtenAt, above, quote, pictures, sensitive }: BlueskyPost,
  archive: ImportArchive,
  items: ReadonlyMap<string, PlannedItem>,
): PlannedItem | undefined {
  const answered = above.map((one) => items.get(one)).find((item) => item !== undefined);
  if (answered === undefined && above.length > 0) return undefined;
  const choose = (kind: PlannedItem['kind']) => texts.find((one) => isTextOf(kind, one)) ?? texts.join('');
  if (answered !== undefined && pictures.length === 0 && quote === undefined) {
    return { kind: 'comment', key, text: choose('comment'), writtenAt, ...toAnswered(answered) };
  }
  const found = pictures.slice(0, 4).map(({ cid, alt }) => ({ entry: archive.findBlob(cid) ?? '', alt: toAlt(alt) }));
  const text = choose('post') || (found.some(({ entry }) => entry !== '') ? '📷' : '');
  return { kind: 'post', key, text, writtenAt, commenters: 'everyone', sensitive, pictures: found, quote };
}
