import type { Account } from '@linnet/contract/objects';

import { toTextParts } from './text-parts.ts';
import type { TextPart } from './text-parts.ts';

/** A part of a text, and where it leads. */
export interface LinkedPart extends TextPart {
  readonly href?: string;
}

/** Splits a text, and adds addresses to the URLs in it and to the mentions of `mentioned` accounts. */
export function toLinkedParts(text: string, mentioned: readonly Account[] = []): readonly LinkedPart[] {
  const links = new Map(mentioned.map(({ username, link }) => [username.toLowerCase(), link]));
  return toTextParts(text).map((part) => {
    const href = addressOf(part, links);
    return href === undefined ? part : { ...part, href };
  });
}

function addressOf({ kind, text }: TextPart, links: ReadonlyMap<string, string>): string | undefined {
  if (kind === 'mention') return links.get(text.slice(1).toLowerCase());
  const url = kind === 'link' ? URL.parse(text) : null;
  return url !== null && ['http:', 'https:'].includes(url.protocol) ? url.href : undefined;
}
