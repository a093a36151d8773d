import { codePointLength } from '@linnet/contract/code-points';
import type { Account, Post } from '@linnet/contract/objects';

import type { AccountRow } from '../account/account-row.ts';
import { digitsOnly, findLinks, findNames, toHashtagKey } from './post-text.ts';
import type { Hashtag, Indices, TextUrl } from './post-text.ts';

/** A part of a text, and where it leads. */
export interface LinkedPart extends TextPart {
  readonly href?: string;
}

interface LinkOptions {
  /** The mentions that are links. */
  readonly mentioned?: Pick<Post, 'mentions' | 'user_definition'>;
  /** Of the links of hashtags; absent: the origin of the page. */
  readonly baseUrl?: string;
}

/** Splits a text, and adds addresses to its URLs, hashtags and mentions. A mention leads to its account, whatever its name is now. */
export function toLinkedParts(text: string, { mentioned, baseUrl = '' }: LinkOptions = {}): readonly LinkedPart[] {
  const accounts = new Map(mentioned?.user_definition.map(({ id, link }) => [id, link]));
  const links = new Map(mentioned?.mentions.map(({ id, indices: [start] }) => [start, accounts.get(id)]));
  let start = 0;
  return toTextParts(text).map((part) => {
    const href = part.kind === 'mention' ? links.get(start) : addressOf(part, baseUrl);
    start += codePointLength(part.text);
    return href === undefined ? part : { ...part, href };
  });
}

/** The page of a hashtag, by its key; see `toHashtagKey`. */
export function hashtagPath(key: string): string {
  return `/tags/${encodeURIComponent(key)}`;
}

function hashtagAddress(hashtag: string, baseUrl: string): string | undefined {
  const key = toHashtagKey(hashtag.slice(1));
  return key === undefined ? undefined : baseUrl + hashtagPath(key);
}

function addressOf({ kind, text }: TextPart, baseUrl: string): string | undefined {
  if (kind === 'hashtag') return hashtagAddress(text, baseUrl);
  const url = kind === 'link' ? URL.parse(text) : null;
  return url !== null && ['http:', 'https:'].includes(url.protocol) ? url.href : undefined;
}

/** A part of a post's text. All parts joined are the text. */
interface TextPart {
  readonly kind: 'plain' | 'link' | 'mention' | 'hashtag';
  /** The original text, including `@` or `#`. */
  readonly text: string;
}

interface Entity {
  readonly kind: 'link' | 'mention' | 'hashtag';
  readonly start: number;
  readonly end: number;
}

/** Splits a text by the rules of `findEntities`. Unlike there, every occurrence of an entity is a part. */
export function toTextParts(text: string): readonly TextPart[] {
  const links = findLinks(text).map(({ start, end }): Entity => ({ kind: 'link', start, end }));
  const entities = [
    ...links,
    ...findMatches(text, 'mention').filter((mention) => !isInside(mention, links)),
    ...findMatches(text, 'hashtag').filter(
      (hashtag) => !isInside(hashtag, links) && !digitsOnly.test(text.slice(hashtag.start + 1, hashtag.end)),
    ),
  ].toSorted((a, b) => a.start - b.start);
  const parts: TextPart[] = [];
  let end = 0;
  for (const entity of entities) {
    if (entity.start > end) parts.push({ kind: 'plain', text: text.slice(end, entity.start) });
    parts.push({ kind: entity.kind, text: text.slice(entity.start, entity.end) });
    end = entity.end;
  }
  if (end < text.length) parts.push({ kind: 'plain', text: text.slice(end) });
  return parts;
}

function findMatches(text: string, kind: 'mention' | 'hashtag'): readonly Entity[] {
  return findNames(text, kind === 'mention' ? '@' : '#').map(({ start, end }) => ({ kind, start, end }));
}

function isInside(entity: Entity, links: readonly Entity[]): boolean {
  return links.some((link) => entity.start >= link.start && entity.end <= link.end);
}

export interface Entities {
  readonly hashtags: readonly Hashtag[];
  readonly urls: readonly TextUrl[];
}

export interface Mentions {
  /** The mentioned accounts that the viewer may see, in order of appearance. Null: none. */
  readonly mentions: readonly AccountRow[] | null;
  /** Of all mentioned accounts, in the same order. Null: none. */
  readonly mentionSpans: readonly MentionSpans[] | null;
}

/** Where a text mentions an account. */
export interface MentionSpans {
  readonly id: number;
  readonly indices: readonly Indices[];
}

/** The hashtags and URLs in a text. */
export function toEntities(row: Entities): Pick<Post, 'hashtags' | 'urls'> {
  return {
    hashtags: row.hashtags.map(({ text, indices: [start, end] }) => ({
      text,
      indices: [start, end],
    })),
    urls: row.urls.map(({ url, display_url, indices: [start, end] }) => ({
      url,
      display_url,
      indices: [start, end],
    })),
  };
}

/** The mentions in a text of the accounts that the viewer may see. */
export function toMentions(
  { mentions, mentionSpans }: Mentions,
  toShown: (mention: AccountRow) => Account,
): Pick<Post, 'mentions' | 'user_definition'> {
  const ids = new Set(mentions?.map(({ id }) => id));
  const user_definition = mentions?.map(toShown) ?? [];
  return { mentions: toMentionIndices(mentionSpans ?? [], (id) => ids.has(id)), user_definition };
}

type ShownMention = Post['mentions'][number];

export function toMentionIndices(spans: readonly MentionSpans[], isShown: (id: number) => boolean): ShownMention[] {
  return spans
    .filter(({ id }) => isShown(id))
    .flatMap(({ id, indices }) => indices.map(([start, end]): ShownMention => ({ id, indices: [start, end] })))
    .toSorted((one, other) => one.indices[0] - other.indices[0]);
}
