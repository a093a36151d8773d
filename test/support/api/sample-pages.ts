import { languages } from '@linnet/contract/languages';
import type { Attachment } from '@linnet/contract/attachment';
import type { Language } from '@linnet/contract/languages';
import type { Account, Post } from '@linnet/contract/objects';
import { toLinkedParts } from '@linnet/social/post/linked-text';
import { loadAssets } from '@linnet/ui/assets';
import { markTexts } from '../ui/hard-coded-text.ts';
import { serveSampleFiles } from '../ui/sample-site.ts';
import type { ShownComment } from '@linnet/ui/post.tsx';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

import { HashtagPage } from '@linnet/api/pages/hashtag-page.tsx';
import { HistoryPage, NotFoundPage, assetsPath, pageStyles } from '@linnet/api/pages/public-page.tsx';
import type { PageFrame } from '@linnet/api/pages/page-layout.tsx';
import { pageTexts } from '@linnet/api/pages/page-texts';
import type { PageTexts } from '@linnet/api/pages/page-texts';
import { PostPage } from '@linnet/api/pages/post-page.tsx';
import { PeoplePage, ProfilePage } from '@linnet/api/pages/profile-page.tsx';

/** `marked` is English with each text between marks, to find texts that are not in the catalogue. */
type SampleLanguage = Language | 'marked';

const textsIn: Readonly<Record<SampleLanguage, PageTexts>> = {
  ...pageTexts,
  marked: markTexts(pageTexts.en, ['language', 'locale']),
};

const picture = '/media/avatars/0.png';

function sampleAccount(name: string): Account {
  return {
    objectType: 'account',
    kind: 'linnet#account',
    id: 1,
    username: 'ada_lovelace',
    displayName: name,
    name: { first_name: name, last_name: name },
    description: name,
    country: name,
    link: '/@ada_lovelace',
    verified: 1,
    avatar: picture,
    action: { followers: 1, following: 2, posts: 3 },
  };
}

function samplePicture(id: number, alt: string): Attachment {
  const addresses = { image: picture, thumbnail: picture, download: picture };
  return { id, ...addresses, alt, width: 800, height: 600, blurhash: null };
}

function samplePost(user: Account, text: string): Post {
  return {
    id: 2,
    text,
    created: '',
    created_at: '2026-11-20T15:04:00.000Z',
    link: '/p/2',
    user,
    media: { image: picture, files: [] },
    attachments: [samplePicture(1, text)],
    hashtags: [],
    urls: [],
    mentions: [],
    user_definition: [user],
    action: { likes: 1, comments: 2, reposts: 3 },
    commenters: 'everyone',
    sensitive: 0,
  };
}

function samplePostWithLinks(account: Account, name: string): Post {
  const attachments = [1, 2, 3].map((id) => samplePicture(id, id === 1 ? name : ''));
  return { ...samplePost(account, `#looms @ada_lovelace ${name} https://app.example.com/a`), attachments };
}

/** Every public page in each of its states. `name` fills in all texts that users choose. */
export function samplePages(language: SampleLanguage, name: string): Readonly<Record<string, VNode>> {
  const texts = textsIn[language];
  const assets = {
    style: `${assetsPath}/style.css?v=0`,
    logo: `${assetsPath}/logo.svg?v=0`,
    extraStyles: {},
    scripts: {},
  };
  const languageLinks = languages.map((one) => ({
    language: one,
    name: pageTexts[one].languageName,
    href: `?lang=${one}`,
  }));
  const siteLinks = {
    contact: 'mailto:hello@linnet.example',
    terms: 'http://localhost:3000/terms',
    privacy: 'http://localhost:3000/privacy',
    status: 'http://localhost:3000/status',
  };
  const frame: PageFrame = { texts, serviceName: 'Linnet', assets, languageLinks, siteLinks };
  const account = sampleAccount(name);
  const post = samplePost(account, name);
  const linked = samplePostWithLinks(account, name);
  const { action: _action, commenters: _commenters, ...words } = linked;
  const quotes = [{ status: 'available', post: words }, { status: 'unavailable' }] as const;
  const quoting = quotes.map((quote, index) => ({ ...post, id: 4 + index, quote }));
  const restricted = { ...linked, id: 3, commenters: 'followers', sensitive: 1 } as const;
  const profile = {
    frame,
    account,
    isProtected: false,
    posts: [post, linked, restricted, ...quoting],
    olderHref: '?before=2',
    isFirst: false,
  };
  return {
    'a profile': ProfilePage(profile),
    'a profile without words': ProfilePage({ ...profile, account: { ...account, description: '' }, posts: [] }),
    'a new profile': ProfilePage({ ...profile, posts: [], olderHref: undefined, isFirst: true }),
    'a protected profile': ProfilePage({ ...profile, isProtected: true }),
    ...peoplePages(frame, account),
    ...postPages(frame, post, toLinkedParts(name)),
    ...editedPages(frame, linked),
    ...hashtagPages(frame, linked),
    'nothing found': NotFoundPage({ frame }),
  };
}

function peoplePages(frame: PageFrame, account: Account): Readonly<Record<string, VNode>> {
  const [people, followed] = [
    { frame, account, list: 'followers' },
    { frame, account, list: 'following' },
  ] as const;
  return {
    followers: PeoplePage({ ...people, people: [account], nextHref: '?cursor=1', isFirst: false }),
    'nobody followed': PeoplePage({ ...followed, people: [], nextHref: undefined, isFirst: true }),
  };
}

function postPages(frame: PageFrame, post: Post, parts: ShownComment['parts']): Readonly<Record<string, VNode>> {
  const comment = { ...post, parts, parent_id: 0 };
  const comments = [comment, { ...comment, id: 9, parent_id: post.id }];
  return {
    'a post': PostPage({ frame, post, comments: [], nextHref: undefined, isFirst: true }),
    'a post without words': PostPage({
      frame,
      post: { ...post, text: '' },
      comments,
      nextHref: '?after=2',
      isFirst: false,
    }),
  };
}

function editedPages(frame: PageFrame, post: Post): Readonly<Record<string, VNode>> {
  const edited = { ...post, edited_at: '2026-11-21T09:30:00.000Z' };
  const parts = toLinkedParts(post.text, { mentioned: post });
  const versions = [4, 2].map((id) => ({ id, created_at: post.created_at, parts }));
  return {
    'an edited post': PostPage({ frame, post: edited, comments: [], nextHref: undefined, isFirst: true }),
    'the versions of a post': HistoryPage({ frame, post, versions }),
  };
}

function hashtagPages(frame: PageFrame, post: Post): Readonly<Record<string, VNode>> {
  const parts = toLinkedParts(post.text, { mentioned: post });
  const tagged = { frame, hashtag: `#${post.user.displayName}`, link: 'http://localhost:3000/tags/looms' };
  return {
    'a hashtag': HashtagPage({
      ...tagged,
      posts: [{ ...post, quote: undefined, parts }],
      olderHref: '?before=2',
      isFirst: true,
    }),
    'a hashtag, past the last post': HashtagPage({ ...tagged, posts: [], olderHref: undefined, isFirst: false }),
    'a new hashtag': HashtagPage({ ...tagged, posts: [], olderHref: undefined, isFirst: true }),
  };
}

/** The samples as HTML documents, by name. */
export function drawSamples(language: SampleLanguage, name: string): ReadonlyMap<string, string> {
  const drawn = Object.entries(samplePages(language, name)).map(
    ([page, node]) => [page, `<!DOCTYPE html>\n${renderToString(node)}`] as const,
  );
  return new Map(drawn);
}

/** Serves the files that the samples load. */
export const serveFiles = serveSampleFiles(loadAssets({ path: assetsPath, styles: pageStyles }));
