import { digitsOnly, findLinks, hashtagPattern, mentionPattern } from './post-text.ts';

/** A part of a post's text. All parts joined are the text. */
export interface TextPart {
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
  const pattern = kind === 'mention' ? mentionPattern : hashtagPattern;
  return [...text.matchAll(pattern)].map((match) => ({ kind, start: match.index, end: match.index + match[0].length }));
}

function isInside(entity: Entity, links: readonly Entity[]): boolean {
  return links.some((link) => entity.start >= link.start && entity.end <= link.end);
}
