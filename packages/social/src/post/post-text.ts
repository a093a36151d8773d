import { foldCase } from '@linnet/db/text/search-words';
import { codePointLength } from '@linnet/contract/code-points';
import { hashtagText } from '@linnet/contract/hashtag';
import { find } from 'linkifyjs';

/** A half-open range of code points in the text (decisions, Details 7). */
export type Indices = readonly [start: number, end: number];

export interface Hashtag {
  /** Without the `#`, in its original case. */
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
  /** The search words of the post, folded. */
  readonly hashtagKeys: readonly string[];
  readonly urls: readonly TextUrl[];
  /** Without duplicates, in order of appearance. The accounts need not exist. */
  readonly mentions: readonly MentionedName[];
}

interface MentionedName {
  /** In lower case. */
  readonly name: string;
  readonly indices: readonly Indices[];
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** What words consist of. The marks of emoji, as in ❤️ and 1️⃣, do not continue a word. */
const wordCharacter = String.raw`[\p{L}\p{N}_]|(?!\p{Emoji_Component})\p{M}`;

// Not inside a word, a URL or an HTML entity.
const hashtagPattern = new RegExp(`(?<!${wordCharacter}|[#&/])#(${hashtagText})`, 'uy');
export const digitsOnly = /^\p{N}+$/u;
// Not inside an e-mail address, whose local part does not end in a dot, or a path, and not the name of `@name@host`. The lookahead
// also excludes names that are too long for a username.
const mentionPattern = new RegExp(
  `(?<!${wordCharacter}|[@/]|(?:${wordCharacter})[+-])@([A-Za-z0-9_]{5,32})(?![A-Za-z0-9_]|@[\\p{L}\\p{N}])`,
  'uy',
);

interface NameMatch extends Span {
  /** Without the sign. */
  readonly name: string;
}

/** Finds what may be a hashtag (`#`) or a mention (`@`). The patterns are slow, so they are tried only where the sign is. */
export function findNames(text: string, sign: '#' | '@'): readonly NameMatch[] {
  const pattern = sign === '#' ? hashtagPattern : mentionPattern;
  const found: NameMatch[] = [];
  for (let start = text.indexOf(sign); start >= 0;) {
    pattern.lastIndex = start;
    const name = pattern.exec(text)?.[1];
    const end = start + sign.length + (name?.length ?? 0);
    if (name !== undefined) found.push({ name, start, end });
    start = text.indexOf(sign, end);
  }
  return found;
}

const maxHashtagKeyLength = 100;

/** Whether posts can be found by a folded hashtag: longer ones are not stored. */
function isHashtagKey(folded: string): boolean {
  return codePointLength(folded) <= maxHashtagKeyLength;
}

const hashtagName = new RegExp(`^${hashtagText}$`, 'u');

/** What posts with a hashtag, written without `#`, are found by. `undefined`: no post can have it, or it is too long. */
export function toHashtagKey(name: string): string | undefined {
  if (!hashtagName.test(name) || digitsOnly.test(name)) return undefined;
  const folded = foldCase(name);
  return isHashtagKey(folded) ? folded : undefined;
}

/** Finds the hashtags, http(s) URLs and mentions in a post's text (specification, Post). Runs in linear time (R18). */
export function findEntities(text: string): Entities {
  const links = findLinks(text);
  const toCodePoints = codePointOffsets(text);
  const indices = ({ start, end }: Span): Indices => [toCodePoints(start), toCodePoints(end)];
  const hashtags = findHashtags(text, links, indices);
  return {
    hashtags: [...hashtags.values()],
    hashtagKeys: [...hashtags.keys()].filter(isHashtagKey),
    urls: links.map((link) => ({
      url: link.value,
      display_url: toDisplayUrl(link.value),
      indices: indices(link),
    })),
    mentions: findMentions(text, links, indices),
  };
}

interface Link extends Span {
  readonly value: string;
}

/** What an emoji can begin with, or consist of. */
const symbol = String.raw`\p{Extended_Pictographic}\p{So}\p{Sk}`;
/**
 * What ends a URL besides ASCII: quotation marks, brackets, punctuation, white space and format characters of any script. Letters,
 * marks, digits, symbols, dashes between letters, and joiners within words and emoji do not (RFC 3987).
 */
const urlEnd = new RegExp(
  [
    String.raw`(?![\0-\u007F\u200C\u200D\p{L}\p{M}\p{N}\p{ID_Continue}\p{Pd}${symbol}]).`,
    String.raw`(?![\0-\u007F])(?:\p{Sentence_Terminal}|\p{Pd}(?![\p{L}\p{N}]))`,
    String.raw`[\u200C\u200D](?![\p{L}\p{M}${symbol}])`,
    String.raw`(?<![\p{L}\p{M}${symbol}])[\u200C\u200D]`,
  ].join('|'),
  'gsu',
);

/** Only other characters end a URL there. */
const ascii = /^[\0-\u007F]*$/;

/** Finds the http(s) URLs in a text. Offsets are in UTF-16 code units. */
export function findLinks(text: string): readonly Link[] {
  if (!text.includes('://')) return [];
  const links: Link[] = [];
  let offset = 0;
  const separated = ascii.test(text) ? text : text.replaceAll(urlEnd, (ending) => ' '.repeat(ending.length));
  // The search is slow. No URL contains a space or a line break, so it skips the words that cannot have one.
  for (const word of separated.split(/[ \n]/)) {
    if (word.includes('://')) links.push(...findLinksOfWord(word, offset));
    offset += word.length + 1;
  }
  return links;
}

function findLinksOfWord(word: string, offset: number): readonly Link[] {
  return find(word, 'url')
    .filter(({ value }) => /^https?:\/\/[^/?#\\]/i.test(value))
    .map(({ value, start, end }) => ({ value, start: offset + start, end: offset + end }));
}

function findHashtags(
  text: string,
  links: readonly Span[],
  indices: (span: Span) => Indices,
): ReadonlyMap<string, Hashtag> {
  const found = new Map<string, Hashtag>();
  const isInside = createInsideTest(links);
  for (const { name: tag, ...span } of findNames(text, '#')) {
    const folded = foldCase(tag);
    if (digitsOnly.test(tag) || found.has(folded) || isInside(span)) continue;
    found.set(folded, { text: tag, indices: indices(span) });
  }
  return found;
}

function findMentions(text: string, links: readonly Span[], indices: (span: Span) => Indices): MentionedName[] {
  const found = new Map<string, Indices[]>();
  const isInside = createInsideTest(links);
  for (const { name, ...span } of findNames(text, '@')) {
    if (isInside(span)) continue;
    const key = name.toLowerCase();
    const places = found.get(key) ?? [];
    places.push(indices(span));
    found.set(key, places);
  }
  return [...found].map(([name, places]) => ({ name, indices: places }));
}

/** Creates a test for whether a span lies inside a link. Spans must be passed in ascending order: it walks the links once. */
function createInsideTest(links: readonly Span[]): (span: Span) => boolean {
  const cursor = { next: 0 };
  return ({ start, end }) => {
    while ((links[cursor.next]?.end ?? Infinity) <= start) cursor.next += 1;
    const link = links[cursor.next];
    return link !== undefined && start >= link.start && end <= link.end;
  };
}

const maxDisplayLength = 30;

/** Removes the scheme and `www.` from a URL, and truncates it after 30 code points. */
function toDisplayUrl(url: string): string {
  const codePoints = [...url.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/$/, '')];
  if (codePoints.length <= maxDisplayLength) return codePoints.join('');
  return `${codePoints.slice(0, maxDisplayLength).join('')}…`;
}

/**
 * Creates a function that converts UTF-16 offsets to code point offsets. A text without surrogates needs no table.
 * @throws RangeError, from the function, for an offset inside a surrogate pair
 */
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
  return (position) => {
    const converted = offsets.get(position);
    if (converted === undefined) throw new RangeError(`offset ${String(position)} is not between code points`);
    return converted;
  };
}
