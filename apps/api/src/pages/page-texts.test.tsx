import type { Account, Post } from '@linnet/contract/objects';
import { findUnmarked, markTexts } from '@linnet/ui/testing/marked-texts';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { describe, expect, test } from 'vitest';

import { NotFoundPage } from './not-found-page.tsx';
import type { PageFrame } from './page-layout.tsx';
import { pageTexts } from './page-texts.ts';
import type { PageTexts } from './page-texts.ts';
import { PostPage } from './post-page.tsx';
import { ProfilePage } from './profile-page.tsx';

const languages = Object.keys(pageTexts) as (keyof typeof pageTexts)[];

/** Every text by its name; functions are called with what the text has to hold. */
function textsIn(texts: PageTexts): ReadonlyMap<string, string> {
  const words = ['⟨first⟩', '⟨second⟩'];
  const called = Object.entries(texts).map(([key, value]): [string, string] => {
    if (typeof value === 'string') return [key, value];
    const given = { formatMinute: [new Date(0)], formatCount: [2] }[key] ?? words.slice(0, value.length);
    return [key, String(Reflect.apply(value, undefined, given))];
  });
  return new Map(called);
}

/** The same as in English because the word is the same. */
const alike: Readonly<Record<Exclude<keyof typeof pageTexts, 'en'>, readonly string[]>> = {
  de: ['formatCount'],
  fr: ['formatCount'],
  es: ['formatCount'],
};

describe.each(languages.filter((language) => language !== 'en'))('the texts of public pages (%s)', (language) => {
  const english = textsIn(pageTexts.en);
  const translated = textsIn(pageTexts[language]);

  test('are translated, and none is blank', () => {
    expect([...english.keys()].filter((key) => english.get(key) === translated.get(key))).toEqual(alike[language]);
    expect([...translated].filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  test('use what is put into them', () => {
    const marksIn = (text = '') => (text.match(/⟨\w+⟩/g) ?? []).toSorted();
    for (const [key, text] of english) expect([key, marksIn(translated.get(key))]).toEqual([key, marksIn(text)]);
  });
});

const name = 'Ada Lovelace';
const words = 'Numbers';
const account: Account = {
  objectType: 'account',
  kind: 'linnet#account',
  id: 1,
  username: 'ada_lovelace',
  displayName: name,
  name: { first_name: name, last_name: name },
  description: words,
  country: words,
  link: '/@ada_lovelace',
  verified: 1,
  avatar: '/avatar.svg',
  action: { followers: 1, following: 2, posts: 3 },
};
const post: Post = {
  id: 2,
  text: words,
  created: '',
  created_at: '2026-11-20T15:04:00.000Z',
  link: '/p/2',
  user: account,
  media: { image: '/picture.png', files: [] },
  hashtags: [],
  urls: [],
  user_definition: [],
  action: { likes: 1, comments: 2, reposts: 3 },
};

const frame: PageFrame = {
  texts: markTexts(pageTexts.en, ['language', 'locale']),
  serviceName: 'Linnet',
  assets: { style: '/style.css', logo: '/logo.svg', scripts: {} },
  languageLinks: languages.map((language) => ({ language, name: pageTexts[language].languageName, href: '?' })),
};
const profile = { frame, account, isProtected: false, posts: [post], olderHref: '?before=2', isFirst: false };

const pages: Readonly<Record<string, VNode>> = {
  'a profile': <ProfilePage {...profile} />,
  'a profile without words': <ProfilePage {...profile} account={{ ...account, description: '' }} posts={[]} />,
  'a protected profile': <ProfilePage {...profile} isProtected />,
  'a post': <PostPage frame={frame} post={post} />,
  'a post without words': <PostPage frame={frame} post={{ ...post, text: '' }} />,
  'nothing found': <NotFoundPage frame={frame} />,
};

/** What is the same in every language. */
const data = ['@ada_lovelace', name, words, 'Linnet', ...languages.map((language) => pageTexts[language].languageName)];

test.each(Object.entries(pages))('%s: every word is from the catalogue', (_page, page) => {
  const pieces = findUnmarked(renderToString(page)).map((piece) =>
    data.reduce((rest, one) => rest.replaceAll(one, ''), piece),
  );
  expect(pieces.filter((piece) => /\p{L}/u.test(piece))).toEqual([]);
});
