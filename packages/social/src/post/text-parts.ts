import { digitsOnly, findLinks, hashtagPattern, mentionPattern } from './post-text.ts';

/** A piece of a post's text; all pieces in a row are the text. */
export interface TextPart {
  readonly kind: 'plain' | 'link' | 'mention' | 'hashtag';
  /** As it was written, `@` and `#` included. */
  readonly text: string;
}

interface Marked {
  readonly kind: 'link' | 'mention' | 'hashtag';
  readonly start: number;
  readonly end: number;
}

/** Takes a text apart by the rules of `findEntities`; every occurrence is a piece of its own. */
export function toTextParts(text: string): readonly TextPart[] {
  const links = findLinks(text).map(({ start, end }): Marked => ({ kind: 'link', start, end }));
  const marks = [
    ...links,
    ...matches(text, 'mention').filter((mark) => !isInside(mark, links)),
    ...matches(text, 'hashtag').filter(
      (mark) => !isInside(mark, links) && !digitsOnly.test(text.slice(mark.start + 1, mark.end)),
    ),
  ].toSorted((a, b) => a.start - b.start);
  const parts: TextPart[] = [];
  let end = 0;
  for (const mark of marks) {
    if (mark.start > end) parts.push({ kind: 'plain', text: text.slice(end, mark.start) });
    parts.push({ kind: mark.kind, text: text.slice(mark.start, mark.end) });
    end = mark.end;
  }
  if (end < text.length) parts.push({ kind: 'plain', text: text.slice(end) });
  return parts;
}

function matches(text: string, kind: 'mention' | 'hashtag'): readonly Marked[] {
  const pattern = kind === 'mention' ? mentionPattern : hashtagPattern;
  return [...text.matchAll(pattern)].map((match) => ({ kind, start: match.index, end: match.index + match[0].length }));
}

function isInside(mark: Marked, links: readonly Marked[]): boolean {
  return links.some((link) => mark.start >= link.start && mark.end <= link.end);
}
