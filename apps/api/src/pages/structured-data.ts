/** What programs read about a public page: JSON-LD of schema.org in the page, and oEmbed. */
import type { Account, Post } from '@linnet/contract/objects';
import { printableLines, printableText } from '@linnet/ui/inert-text';

/** Before `?url=`, the address of a post or a profile. */
export const oEmbedPath = '/p/oembed';

function toPerson(account: Account) {
  return {
    '@type': 'Person',
    name: printableText(account.displayName),
    alternateName: `@${account.username}`,
    url: account.link,
    image: account.avatar,
  };
}

function toCounter(action: string, count: number) {
  const interactionType = `https://schema.org/${action}`;
  return { '@type': 'InteractionCounter', interactionType, userInteractionCount: count };
}

export function profileData(account: Account): object {
  const { posts, followers } = account.action;
  return {
    '@context': 'https://schema.org',
    '@type': 'ProfilePage',
    mainEntity: {
      ...toPerson(account),
      identifier: String(account.id),
      description: printableLines(account.description),
      interactionStatistic: toCounter('FollowAction', followers),
      agentInteractionStatistic: toCounter('WriteAction', posts),
    },
  };
}

export function postData(post: Post): object {
  const { likes, comments, reposts } = post.action;
  return {
    '@context': 'https://schema.org',
    '@type': 'SocialMediaPosting',
    url: post.link,
    articleBody: printableLines(post.text),
    datePublished: post.created_at,
    ...(post.edited_at === undefined ? {} : { dateModified: post.edited_at }),
    author: toPerson(post.user),
    ...(post.sensitive === 1 ? {} : { image: post.attachments.map(({ image }) => image) }),
    interactionStatistic: [
      toCounter('LikeAction', likes),
      toCounter('CommentAction', comments),
      toCounter('ShareAction', reposts),
    ],
  };
}

const embedWidth = 550;

/** A post as a quotation, for the width that the reader has (oEmbed 1.0 §2.3.4.4). */
export function toEmbed(post: Post, { serviceName, baseUrl, maxWidth }: EmbedOptions): object {
  const [name, { username, link }] = [printableText(post.user.displayName), post.user];
  const author = `${name} (@${username})`;
  const source = `<a href="${escapeHtml(post.link)}">${post.created_at.slice(0, 10)}</a>`;
  // Each line has its own direction.
  const lines = printableLines(post.text).split('\n');
  const text = lines.map((line) => `<p dir="auto">${line === '' ? '<br>' : escapeHtml(line)}</p>`).join('');
  return {
    ...{ version: '1.0', type: 'rich', provider_name: serviceName, provider_url: baseUrl },
    ...{ author_name: author, author_url: link, title: printableText(post.text.replaceAll(/\s+/g, ' ')) },
    html: `<blockquote cite="${escapeHtml(post.link)}">${text}— ${escapeHtml(author)}, ${source}</blockquote>`,
    width: Math.min(embedWidth, maxWidth ?? embedWidth),
    height: null,
  };
}

interface EmbedOptions {
  readonly serviceName: string;
  readonly baseUrl: string;
  readonly maxWidth: number | undefined;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
