import type { Account, Post } from '@linnet/contract/objects';
import { printableText } from '@linnet/ui/inert-text';
import { LinkedText } from '@linnet/ui/post.tsx';
import type { Context } from 'koa';
import { renderToString } from 'preact-render-to-string';

import { toLinkedParts } from '@linnet/social/post/linked-text';
import { feedTypes } from './page-layout.tsx';
import { sendRevalidated } from './public-page.tsx';

/** A page of a feed: the posts of the public page at `link`. */
export interface Feed {
  /** Stays the same when the address changes. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** The canonical address of the page. With a suffix it is that of the feed. */
  readonly link: string;
  readonly icon?: string;
  /** Of all posts. */
  readonly author?: Account;
  /** The latest, newest first. */
  readonly posts: readonly Post[];
  /** Only what is older is in this page of the feed. */
  readonly before: number | undefined;
  /** Older posts than this one are on the next page (RFC 5005 §3). */
  readonly olderThan: number | undefined;
}

export type FeedSuffix = keyof typeof feedTypes;

/** The address of a page without the suffix, and the suffix if there is one. */
export function splitFeedSuffix(address: string): readonly [address: string, suffix: FeedSuffix | undefined] {
  const suffix = (['.atom', '.rss'] as const).find((one) => address.endsWith(one));
  return [suffix === undefined ? address : address.slice(0, -suffix.length), suffix];
}

export function sendFeed(ctx: Context, suffix: FeedSuffix, feed: Feed): void {
  ctx.set('Content-Security-Policy', "default-src 'none'");
  const xml = suffix === '.atom' ? renderAtom(feed) : renderRss(feed);
  sendRevalidated(ctx, `${feedTypes[suffix]}; charset=utf-8`, xml);
}

/** Nothing has been published yet: an Atom feed must have a date (RFC 4287 §4.1.1). */
const never = '1970-01-01T00:00:00Z';

/** RFC 4287. An edit changes the date of its entry and of the feed. */
function renderAtom(feed: Feed): string {
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    element('id', feed.id),
    element('title', feed.title),
    ...(feed.description.trim() === '' ? [] : [element('subtitle', feed.description)]),
    element('updated', feed.posts.map(changedAt).toSorted().at(-1) ?? never),
    // First: some readers take the first link, whatever it is.
    `<link rel="alternate" type="text/html" href="${escapeXml(feed.link)}"/>`,
    ...toFeedLinks('link', '.atom', feed),
    ...(feed.icon === undefined ? [] : [element('icon', feed.icon)]),
    ...(feed.author === undefined ? [] : [toAuthor(feed.author)]),
    ...feed.posts.map(renderEntry),
    '</feed>',
    '',
  ].join('\n');
}

/** RSS 2.0, https://www.rssboard.org/rss-specification. A post has no title there, as elements of an item are optional. */
function renderRss(feed: Feed): string {
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/">',
    '<channel>',
    element('title', feed.title),
    element('link', feed.link),
    element('description', feed.description.trim() === '' ? feed.title : feed.description),
    ...toFeedLinks('atom:link', '.rss', feed),
    ...(feed.icon === undefined
      ? []
      : [`<image>${element('url', feed.icon)}${element('title', feed.title)}${element('link', feed.link)}</image>`]),
    ...feed.posts.map(renderItem),
    '</channel>',
    '</rss>',
    '',
  ].join('\n');
}

/** Its own address, and the pages before and after it (RFC 5005 §3). */
function toFeedLinks(name: string, suffix: FeedSuffix, { link, before, olderThan }: Feed): readonly string[] {
  const toLink = (rel: string, id: number | undefined) => {
    const address = link + suffix + (id === undefined ? '' : `?before=${String(id)}`);
    return `<${name} rel="${rel}" type="${feedTypes[suffix]}" href="${escapeXml(address)}"/>`;
  };
  return [
    toLink('self', before),
    ...(before === undefined ? [] : [toLink('first', undefined)]),
    ...(olderThan === undefined ? [] : [toLink('next', olderThan)]),
  ];
}

function toAuthor({ displayName, link }: Pick<Account, 'displayName' | 'link'>): string {
  return `<author>${element('name', printableText(displayName))}${element('uri', link)}</author>`;
}

/** Times in UTC with milliseconds, which sort as texts. */
function changedAt(post: Post): string {
  return post.edited_at ?? post.created_at;
}

function renderEntry(post: Post): string {
  return [
    '<entry>',
    element('id', post.link),
    element('title', toTitle(post.text)),
    element('published', post.created_at),
    element('updated', changedAt(post)),
    `<link rel="alternate" type="text/html" href="${escapeXml(post.link)}"/>`,
    toAuthor(post.user),
    ...post.hashtags.map(({ text: tag }) => `<category term="${escapeXml(tag)}"/>`),
    `<content type="html">${escapeXml(toHtml(post))}</content>`,
    '</entry>',
  ].join('\n');
}

function renderItem(post: Post): string {
  return [
    '<item>',
    `<guid isPermaLink="true">${escapeXml(post.link)}</guid>`,
    element('link', post.link),
    element('pubDate', new Date(post.created_at).toUTCString()),
    element('dc:creator', printableText(post.user.displayName)),
    ...post.hashtags.map(({ text: tag }) => element('category', tag)),
    element('description', toHtml(post)),
    '</item>',
  ].join('\n');
}

function toHtml(post: Post): string {
  // Readers of feeds cannot be asked first.
  const shown = post.sensitive === 1 ? [] : post.attachments;
  const pictures = shown.map(({ image, alt }) => renderToString(<img src={image} alt={printableText(alt)} />));
  return `${toLines(post)}${pictures.join('')}${toQuote(post.quote?.post)}`;
}

type QuotedPost = NonNullable<NonNullable<Post['quote']>['post']>;

function toLines(post: QuotedPost): string {
  const parts = toLinkedParts(post.text, { mentioned: post, baseUrl: new URL(post.link).origin });
  // Each line has its own direction.
  const lines = renderToString(<LinkedText parts={parts} />).split('\n');
  // Readers that take the text alone join what has no space between.
  return lines.map((line) => `<div dir="auto">${line === '' ? '<br/>' : line}</div>`).join('\n');
}

/** What the post quotes, if everybody may see it. */
function toQuote(quoted: QuotedPost | undefined): string {
  if (quoted === undefined) return '';
  const link = renderToString(<a href={quoted.link}>@{quoted.user.username}</a>);
  return `<blockquote cite="${escapeXml(quoted.link)}">${link}\n${toLines(quoted)}</blockquote>`;
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
