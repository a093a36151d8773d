import { find } from 'linkifyjs';

/** Half-open range of code points over the text (decisions, Details 7). */
type Indices = readonly [start: number, end: number];

export interface Hashtag {
  /** Without the `#`, in the case it was written in. */
  readonly text: string;
  readonly indices: Indices;
}

export interface TextUrl {
  readonly url: string;
  readonly display_url: string;
  readonly indices: Indices;
}

export interface Entities {
  readonly hashtags: readonly Hashtag[];
  readonly urls: readonly TextUrl[];
  /** Lower-case names in order of appearance, once each; whether they exist is for the database to say. */
  readonly mentionedNames: readonly string[];
}

interface Span {
  readonly start: number;
  readonly end: number;
}

// Letters with their marks, digits, underscore (decisions D13); not inside a word, an address or an entity.
export const hashtagPattern = /(?<![\p{L}\p{M}\p{N}_#&/])#([\p{L}\p{M}\p{N}_]+)/gu;
export const digitsOnly = /^\p{N}+$/u;
// Not inside an e-mail address or a path; a longer run of characters is no username.
export const mentionPattern = /(?<![\p{L}\p{N}_@/.+-])@([A-Za-z0-9_]{5,32})(?![A-Za-z0-9_])/gu;

/** Finds what a post's text names: hashtags, http(s) addresses and mentions (specification, Post). */
export function findEntities(text: string): Entities {
  const links = findLinks(text);
  const toCodePoints = codePointOffsets(text);
  const indices = ({ start, end }: Span): Indices => [toCodePoints(start), toCodePoints(end)];
  return {
    hashtags: findHashtags(text, links, indices),
    urls: links.map((link) => ({
      url: link.value,
      display_url: toDisplayUrl(link.value),
      indices: indices(link),
    })),
    mentionedNames: findMentions(text, links),
  };
}

/** The http(s) addresses in a text, in UTF-16 offsets. */
export function findLinks(text: string): readonly (Span & { readonly value: string })[] {
  return find(text, 'url').filter(({ value }) => /^https?:\/\//i.test(value));
}

function findHashtags(text: string, links: readonly Span[], indices: (span: Span) => Indices): Hashtag[] {
  const found = new Map<string, Hashtag>();
  const isInside = insideOf(links);
  for (const match of text.matchAll(hashtagPattern)) {
    const [written, tag = ''] = match;
    const span = { start: match.index, end: match.index + written.length };
    const folded = foldCase(tag);
    if (digitsOnly.test(tag) || found.has(folded) || isInside(span)) continue;
    found.set(folded, { text: tag, indices: indices(span) });
  }
  return [...found.values()];
}

function findMentions(text: string, links: readonly Span[]): string[] {
  const names = new Set<string>();
  const isInside = insideOf(links);
  for (const match of text.matchAll(mentionPattern)) {
    const [written, name = ''] = match;
    if (isInside({ start: match.index, end: match.index + written.length })) continue;
    names.add(name.toLowerCase());
  }
  return [...names];
}

/** NFKC and case folding (decisions D13); by code point, or the last sigma of a word would differ from others. */
function foldCase(tag: string): string {
  const folded = Array.from(tag.normalize('NFKC'), (letter) =>
    letter === 'ı' ? letter : letter.toUpperCase().toLowerCase(),
  );
  return folded.join('').normalize('NFKC');
}

/** Tells of spans in ascending order whether a link holds them; walks the links once. */
function insideOf(links: readonly Span[]): (span: Span) => boolean {
  const cursor = { next: 0 };
  return ({ start, end }) => {
    while ((links[cursor.next]?.end ?? Infinity) <= start) cursor.next += 1;
    const link = links[cursor.next];
    return link !== undefined && start >= link.start && end <= link.end;
  };
}

const maxDisplayLength = 30;

/** The address without scheme and `www.`, cut after 30 code points. */
function toDisplayUrl(url: string): string {
  const codePoints = [...url.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/$/, '')];
  if (codePoints.length <= maxDisplayLength) return codePoints.join('');
  return `${codePoints.slice(0, maxDisplayLength).join('')}…`;
}

/** Translates UTF-16 offsets into code points; texts without surrogates need no table. */
function codePointOffsets(text: string): (offset: number) => number {
  if (!/[\ud800-\udfff]/.test(text)) return (offset) => offset;
  const offsets = new Map<number, number>();
  let offset = 0;
  let count = 0;
  for (const codePoint of text) {
    offsets.set(offset, count);
    offset += codePoint.length;
    count += 1;
  }
  offsets.set(offset, count);
  return (position) => offsets.get(position) ?? count;
}
