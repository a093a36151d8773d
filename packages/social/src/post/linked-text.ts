import type { Account } from '@linnet/contract/objects';

import { toHashtagKey } from './post-text.ts';
import { toTextParts } from './text-parts.ts';
import type { TextPart } from './text-parts.ts';

/** A part of a text, and where it leads. */
export interface LinkedPart extends TextPart {
  readonly href?: string;
}

interface LinkOptions {
  /** The accounts whose mentions are links. */
  readonly mentioned?: readonly Account[];
  /** Of the links of hashtags; absent: the origin of the page. */
  readonly baseUrl?: string;
}

/** Splits a text, and adds addresses to its URLs, its hashtags and the mentions of `mentioned` accounts. */
export function toLinkedParts(text: string, { mentioned = [], baseUrl = '' }: LinkOptions = {}): readonly LinkedPart[] {
  const links = new Map(mentioned.map(({ username, link }) => [username.toLowerCase(), link]));
  return toTextParts(text).map((part) => {
    const href = part.kind === 'hashtag' ? hashtagAddress(part.text, baseUrl) : addressOf(part, links);
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

function addressOf({ kind, text }: TextPart, links: ReadonlyMap<string, string>): string | undefined {
  if (kind === 'mention') return links.get(text.slice(1).toLowerCase());
  const url = kind === 'link' ? URL.parse(text) : null;
  return url !== null && ['http:', 'https:'].includes(url.protocol) ? url.href : undefined;
}
