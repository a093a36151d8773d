import type { ListedPost } from '@linnet/sdk';

/** A part of the text of a post. */
export type Segment =
  | { readonly kind: 'text' | 'hashtag'; readonly text: string }
  | { readonly kind: 'mention'; readonly text: string; readonly username: string }
  | { readonly kind: 'link'; readonly text: string; readonly href: string };

interface Placed {
  readonly indices: readonly [start: number, end: number];
  readonly toSegment: (written: string) => Segment;
}

/** A text and what the API found in it. */
export type Marked = Pick<ListedPost, 'text' | 'hashtags' | 'urls' | 'mentions' | 'user_definition'>;

const wordCharacter = String.raw`[\p{L}\p{N}_]|(?!\p{Emoji_Component})\p{M}`;

/** Splits the text of a post into plain text, links, mentions and hashtags, as the API marked them. */
export function splitPost({ text, hashtags, urls, mentions, user_definition: mentioned }: Marked): readonly Segment[] {
  const names = new Map(mentioned.map(({ id, username }) => [id, username]));
  const tags = hashtags.map((tag) => tag.text);
  // Positions count code points, not UTF-16 units.
  const points = [...text];
  const placed: Placed[] = [
    ...urls.map(({ url, display_url: shown, indices }) => ({ indices, toSegment: () => toLink(url, shown) })),
    ...mentions.map(({ id, indices }) => ({
      indices,
      toSegment: (written: string) => toMention(written, names.get(id)),
    })),
  ];
  const segments: Segment[] = [];
  let position = 0;
  for (const { indices, toSegment } of placed.toSorted((one, other) => one.indices[0] - other.indices[0])) {
    const [start, end] = indices;
    segments.push(...splitWords(points.slice(position, start).join(''), tags));
    segments.push(toSegment(points.slice(start, end).join('')));
    position = end;
  }
  return [...segments, ...splitWords(points.slice(position).join(''), tags)];
}

function toLink(url: string, shown: string): Segment {
  const href = toSafeAddress(url);
  return href === undefined ? { kind: 'text', text: url } : { kind: 'link', text: shown, href };
}

/** The account may have another name than the text says. */
function toMention(text: string, username: string | undefined): Segment {
  return username === undefined ? { kind: 'text', text } : { kind: 'mention', text, username };
}

/** The API names each hashtag once. Hashtags have only letters, digits, marks, underscores and joiners. */
function splitWords(text: string, hashtags: readonly string[]): readonly Segment[] {
  if (hashtags.length === 0) return text === '' ? [] : [{ kind: 'text', text }];
  const longestFirst = hashtags.toSorted((one, other) => other.length - one.length);
  const pattern = new RegExp(`(?<!${wordCharacter}|[#&/])(#(?:${longestFirst.join('|')}))(?!${wordCharacter})`, 'iu');
  // Every second part is what the pattern matched.
  const parts = text
    .split(pattern)
    .map((part, index): Segment => ({ kind: index % 2 === 1 ? 'hashtag' : 'text', text: part }));
  return parts.filter((part) => part.text !== '');
}

/** Only addresses of the web become links: not `javascript:` and the like. */
function toSafeAddress(url: string): string | undefined {
  const address = URL.parse(/^[a-z][\w+.-]*:/i.test(url) ? url : `https://${url}`);
  return address !== null && /^https?:$/.test(address.protocol) ? address.href : undefined;
}
