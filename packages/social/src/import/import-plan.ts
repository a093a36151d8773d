/** What a file from elsewhere has for an account: posts and comments, oldest first. Nothing is stored yet. */
import { commentParameters, postParameters } from '@linnet/contract/writing';
import { commenters } from '@linnet/contract/commenters';
import type { Commenters } from '@linnet/contract/commenters';
import { z } from 'zod';

import { ImportRefused, importLimits } from './import-archive.ts';
import type { ImportArchive } from './import-archive.ts';

/** Why something is left out. Of `quotes`, the post is stored without the quote; of `pictures`, without them. */
const leftOutReasons = [
  ...(['text', 'date', 'comments', 'quotes', 'pictures', 'history'] as const),
  ...(['private', 'reposts', 'polls', 'replies'] as const),
] as const;
export type LeftOutReason = (typeof leftOutReasons)[number];
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
}

export interface PlannedPost extends PlannedText {
  readonly kind: 'post';
  readonly commenters: Commenters;
  readonly sensitive: boolean;
  readonly pictures: readonly PlannedPicture[];
  /** The key of a post of the same file. */
  readonly quote?: string | undefined;
  /** Its id, if it is from this service. */
  readonly ownId?: number | undefined;
}

export interface PlannedComment extends PlannedText {
  readonly kind: 'comment';
  /** The keys of the post, and of the comment that it replies to. */
  readonly post: string;
  readonly parent?: string | undefined;
}

export type PlannedItem = PlannedPost | PlannedComment;

export interface ImportPlan {
  readonly source: 'linnet' | 'mastodon';
  readonly items: readonly PlannedItem[];
  readonly leftOut: LeftOut;
}

/** @throws ImportRefused */
export async function readPlan(archive: ImportArchive, baseUrl: string): Promise<ImportPlan> {
  const counts = new Map<LeftOutReason, number>();
  const leaveOut = (reason: LeftOutReason, count = 1) => counts.set(reason, (counts.get(reason) ?? 0) + count);
  if (!archive.has('posts.json')) throw new ImportRefused('unknown-files');
  const found = await readExport(archive, baseUrl, leaveOut);
  const items = found.filter((item) => isStorable(item, leaveOut)).toSorted(byTime);
  if (items.length > importLimits.items) throw new ImportRefused('too-many-posts');
  return { source: 'linnet', items, leftOut: Object.fromEntries(counts) };
}

type LeaveOut = (reason: LeftOutReason, count?: number) => void;

/** A comment comes after its post, also of the same time. */
function byTime(one: PlannedItem, other: PlannedItem): number {
  return one.writtenAt.getTime() - other.writtenAt.getTime() || other.kind.localeCompare(one.kind);
}

const earliest = Date.UTC(2000, 0, 1);

function isStorable(item: PlannedItem, leaveOut: LeaveOut): boolean {
  const time = item.writtenAt.getTime();
  const isText = (item.kind === 'post' ? postParameters.message : commentParameters.text).safeParse(item.text);
  if (!isText.success || item.text.includes('\0')) leaveOut('text');
  else if (time < earliest || time > Date.now()) leaveOut('date');
  else return true;
  return false;
}

const time = z.iso.datetime({ offset: true }).transform((given) => new Date(given));
const id = z.int().positive();
const flag = z.literal([0, 1]).default(0);

/** The members of an export that an import needs. */
const exported = {
  posts: z.array(
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
      attachments: z.array(z.object({ id })).max(4).default([]),
    }),
  ),
  comments: z.array(z.object({ id, text: z.string(), created_at: time, item_id: id, parent_id: z.int().default(0) })),
  media: z.array(z.object({ id, file: z.string(), alt: z.string().default('') })),
  any: z.array(z.unknown()),
};

async function readExport(archive: ImportArchive, baseUrl: string, leaveOut: LeaveOut): Promise<PlannedItem[]> {
  const read = async <Value>(name: string, schema: z.ZodType<Value[]>) =>
    archive.has(name) ? await archive.readJson(name, schema) : [];
  const posts = await read('posts.json', exported.posts);
  const comments = await read('comments.json', exported.comments);
  const media = new Map((await read('media.json', exported.media)).map((one) => [one.id, one]));
  const known = new Set([...posts, ...comments].map((one) => one.id));
  for (const name of ['history', 'reposts'] as const) {
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
          alt: media.get(one.id)?.alt ?? '',
        })),
        quote: quote !== undefined && known.has(quote) ? toKey(quote) : undefined,
        ownId: link === `${baseUrl}/p/${String(post.id)}` ? post.id : undefined,
      };
    }),
    ...own.map((comment): PlannedComment => {
      const { parent_id: parent, created_at: writtenAt, text } = comment;
      const answered = known.has(parent) ? toKey(parent) : undefined;
      return {
        kind: 'comment',
        key: toKey(comment.id),
        text,
        writtenAt,
        post: toKey(comment.item_id),
        parent: answered,
      };
    }),
  ];
}

/** Posts and comments have no id in common. */
function toKey(idInFile: number): string {
  return String(idInFile);
}
