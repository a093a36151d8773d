import type { Account, Post } from '@linnet/contract/objects';
import { printableText } from '@linnet/ui/inert-text';
import { LinkedText } from '@linnet/ui/post.tsx';
import { renderToString } from 'preact-render-to-string';

import { toLinkedParts } from '@linnet/social/post/linked-text';

/** After `/@username`. */
export const feedSuffix = '.atom';

interface FeedOptions {
  readonly baseUrl: string;
  /** As people read it. */
  readonly serviceName: string;
  readonly account: Account;
  /** The latest, newest first. */
  readonly posts: readonly Post[];
  /** Only what is older is in this page of the feed. */
  readonly before: number | undefined;
  /** Older posts than this one are on the next page (RFC 5005 §3). */
  readonly olderThan: number | undefined;
}

/** Nothing has been published yet: a feed must have a date (RFC 4287 §4.1.1). */
const never = '1970-01-01T00:00:00Z';

/** The Atom feed of an account (RFC 4287): the posts of its public page. An edit changes the date of its entry and of the feed. */
export function renderFeed({ baseUrl, serviceName, account, posts, before, olderThan }: FeedOptions): string {
  const pageOf = (id: number | undefined) =>
    account.link + feedSuffix + (id === undefined ? '' : `?before=${String(id)}`);
  const name = printableText(account.displayName);
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    // Unlike the address of the page, it stays when the account is renamed.
    element('id', `${baseUrl}/api/v2.0/users/show?id=${String(account.id)}`),
    element('title', `${name} (@${account.username}) · ${serviceName}`),
    ...(account.description.trim() === '' ? [] : [element('subtitle', account.description)]),
    element('updated', posts.map(changedAt).toSorted().at(-1) ?? never),
    toFeedLink('self', pageOf(before)),
    ...(before === undefined ? [] : [toFeedLink('first', pageOf(undefined))]),
    ...(olderThan === undefined ? [] : [toFeedLink('next', pageOf(olderThan))]),
    `<link rel="alternate" type="text/html" href="${escapeXml(account.link)}"/>`,
    element('icon', account.avatar),
    toAuthor(account),
    ...posts.map((post) => renderEntry(post, baseUrl)),
    '</feed>',
    '',
  ].join('\n');
}

function toFeedLink(rel: string, address: string): string {
  return `<link rel="${rel}" type="application/atom+xml" href="${escapeXml(address)}"/>`;
}

function toAuthor({ displayName, link }: Pick<Account, 'displayName' | 'link'>): string {
  return `<author>${element('name', printableText(displayName))}${element('uri', link)}</author>`;
}

/** Times in UTC with milliseconds, which sort as texts. */
function changedAt(post: Post): string {
  return post.edited_at ?? post.created_at;
}

function renderEntry(post: Post, baseUrl: string): string {
  // Readers of feeds cannot be asked first.
  const shown = post.sensitive === 1 ? [] : post.attachments;
  const parts = toLinkedParts(post.text, { mentioned: post, baseUrl });
  // Each line has its own direction.
  const lines = renderToString(<LinkedText parts={parts} />).split('\n');
  const text = lines.map((line) => `<div dir="auto">${line === '' ? '<br/>' : line}</div>`).join('');
  const pictures = shown.map(({ image, alt }) => renderToString(<img src={image} alt={printableText(alt)} />));
  return [
    '<entry>',
    element('id', post.link),
    element('title', toTitle(post.text)),
    element('published', post.created_at),
    element('updated', changedAt(post)),
    `<link rel="alternate" type="text/html" href="${escapeXml(post.link)}"/>`,
    toAuthor(post.user),
    ...post.hashtags.map(({ text: tag }) => `<category term="${escapeXml(tag)}"/>`),
    `<content type="html">${escapeXml(`${text}${pictures.join('')}`)}</content>`,
    '</entry>',
  ].join('\n');
}

const titleLength = 80;

/** The start of the text, in one line. */
function toTitle(text: string): string {
  const characters = [...printableText(text.replaceAll(/\s+/g, ' ').trim())];
  return characters.length > titleLength ? `${characters.slice(0, titleLength - 1).join('')}…` : characters.join('');
}

function element(name: string, text: string): string {
  return `<${name}>${escapeXml(text)}</${name}>`;
}

/** Characters that XML 1.0 cannot contain, not even escaped (§2.2), are left out. */
function escapeXml(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
