import type { ListedPost } from '@linnet/sdk';

/** A part of the text of a post. */
export type Segment =
  | { readonly kind: 'text' | 'hashtag'; readonly text: string }
  | { readonly kind: 'mention'; readonly text: string; readonly username: string }
  | { readonly kind: 'link'; readonly text: string; readonly href: string };

/** A text and what the API found in it. */
export type Marked = Pick<ListedPost, 'text' | 'hashtags' | 'urls' | 'user_definition'>;

/** Splits the text of a post into plain text, links, mentions and hashtags, as the API marked them. */
export function splitPost({ text, hashtags, urls, user_definition: mentioned }: Marked): readonly Segment[] {
  const names = new Map(mentioned.map(({ username }) => [`@${username}`.toLowerCase(), username]));
  const tags = new Set(hashtags.map((tag) => `#${tag.text}`.toLowerCase()));
  // Positions count code points, not UTF-16 units.
  const points = [...text];
  const segments: Segment[] = [];
  let position = 0;
  for (const { url, display_url: shown, indices } of urls) {
    const [start, end] = indices;
    segments.push(...splitWords(points.slice(position, start).join(''), names, tags));
    const href = toSafeAddress(url);
    segments.push(href === undefined ? { kind: 'text', text: url } : { kind: 'link', text: shown, href });
    position = end;
  }
  return [...segments, ...splitWords(points.slice(position).join(''), names, tags)];
}

function splitWords(text: string, names: ReadonlyMap<string, string>, tags: ReadonlySet<string>): readonly Segment[] {
  return text
    .split(/([@#](?:[\p{L}\p{N}_]|(?!\p{Emoji_Component})\p{M}|[\u200C\u200D](?=[\p{L}\p{M}]))+)/u)
    .filter((part) => part !== '')
    .map((part) => {
      const username = names.get(part.toLowerCase());
      if (username !== undefined) return { kind: 'mention', text: part, username };
      return { kind: tags.has(part.toLowerCase()) ? 'hashtag' : 'text', text: part };
    });
}

/** Only addresses of the web become links: not `javascript:` and the like. */
function toSafeAddress(url: string): string | undefined {
  const address = URL.parse(/^[a-z][\w+.-]*:/i.test(url) ? url : `https://${url}`);
  return address !== null && /^https?:$/.test(address.protocol) ? address.href : undefined;
}
