import { find } from 'linkifyjs';
import { expect, test } from 'vitest';

import { adversarialInputs, maxLinearGrowth, measureGrowth } from '@linnet/test/social/linear-time';
import { findEntities, findLinks, toHashtagKey } from './post-text.ts';

/** The part of the text that an entity's indices select. */
function select(text: string, [start, end]: readonly [number, number]): string {
  return [...text].slice(start, end).join('');
}

test.each([
  ['plain', []],
  ['#one two #Two_2', ['one', 'Two_2']],
  ['#1 #123 is no hashtag, #1a is', ['1a']],
  ['a#b and &#39; and /#c and ##d are none', []],
  ['#Straße #größe #日本語 #हिन्दी', ['Straße', 'größe', '日本語', 'हिन्दी']],
  ['#Linnet again #linnet #LINNET', ['Linnet']],
  ['#Straße #STRASSE #ΟΔΟΣ #οδος #Οδοσ #ﬁn #FIN #ｗｉｄｅ #wide', ['Straße', 'ΟΔΟΣ', 'ﬁn', 'ｗｉｄｅ']],
  ['#ı #i #1_2 #_ #١٢٣', ['ı', 'i', '1_2', '_']],
  ['(#paren) #dot. #comma, "#quote"', ['paren', 'dot', 'comma', 'quote']],
  ['https://example.org/a#fragment #real', ['real']],
])('D13 hashtags of "%s"', (text, tags) => {
  expect(findEntities(text).hashtags.map((hashtag) => hashtag.text)).toEqual(tags);
});

test.each([
  ['see https://example.org/path.', ['https://example.org/path']],
  ['(http://example.org/a_(b)) and HTTP://EXAMPLE.ORG', ['http://example.org/a_(b)', 'HTTP://EXAMPLE.ORG']],
  ['"https://example.org/?q=1&r=2#frag", then', ['https://example.org/?q=1&r=2#frag']],
  ['example.org node.js ftp://example.org javascript:alert(1) mail@example.org', []],
  ['https://müller.example/ü', ['https://müller.example/ü']],
])('D12 Details 7 URLs of "%s"', (text, urls) => {
  expect(findEntities(text).urls.map(({ url }) => url)).toEqual(urls);
});

test.each([
  ['@alice_ hello @Bobby1', ['alice_', 'bobby1']],
  ['mail@alice_ x-@alice_ https://example.org/@alice_', []],
  ['@abcd is too short, so is @a', []],
  [`@${'a'.repeat(33)} is too long, @${'a'.repeat(32)} is not`, ['a'.repeat(32)]],
  ['@alice_ @ALICE_ (@carol1) @dave12, @erin99!', ['alice_', 'carol1', 'dave12', 'erin99']],
])('mentions of "%s"', (text, names) => {
  expect(findEntities(text).mentions.map(({ name }) => name)).toEqual(names);
});

test('Details 7 indices are half-open ranges of code points that include the #', () => {
  const text = '👩‍👩‍👧 𝒳 #größe💙 then https://example.org/😀 end';
  const { hashtags, urls } = findEntities(text);
  expect(hashtags.map(({ indices }) => select(text, indices))).toEqual(['#größe']);
  expect(urls.map(({ indices, url }) => [select(text, indices), url])).toEqual([[urls[0]?.url, urls[0]?.url]]);
});

test('Details 7 every mention has its indices', () => {
  const text = '💙 @alice_ (@Bobby1) https://example.org/@carol1 @ALICE_!';
  const found = findEntities(text).mentions.map(({ name, indices }) => [name, indices.map((one) => select(text, one))]);
  expect(found).toEqual([
    ['alice_', ['@alice_', '@ALICE_']],
    ['bobby1', ['@Bobby1']],
  ]);
});

test('display_url has no scheme and is truncated', () => {
  expect(findEntities('https://www.example.org/').urls[0]?.display_url).toBe('example.org');
  expect(findEntities(`https://example.org/${'a'.repeat(40)}`).urls[0]?.display_url).toBe(
    `example.org/${'a'.repeat(18)}…`,
  );
});

test.each(adversarialInputs)('R18 parses 64 KB of "%s" in linear time', (piece) => {
  expect(measureGrowth(piece, findEntities)).toBeLessThan(maxLinearGrowth);
});

const pieces = [
  '#tag',
  '#größe',
  '@alice_',
  'https://example.org/#x',
  '👩‍👩‍👧',
  '𝒳',
  'e\u0301',
  '\u202e',
  '\r\n',
  ' ',
  '.',
  '(',
  '日本',
];

test('R18 indices select the entity in code points, whatever text surrounds it', () => {
  for (const [one, two, three, four] of quadruples(pieces)) {
    const text = [one, two, three, four].join('');
    const { hashtags, urls } = findEntities(text);
    for (const hashtag of hashtags) expect(select(text, hashtag.indices)).toBe(`#${hashtag.text}`);
    for (const { url, indices } of urls) expect(select(text, indices)).toBe(url);
  }
});

function* quadruples(values: readonly string[]): Iterable<readonly string[]> {
  for (const one of values) {
    for (const two of values) for (const three of values) yield [one, two, three, ' #end https://end.example'];
  }
}

const aroundUrls = [
  'http://',
  'HTTPS://',
  'ftp://',
  '://',
  'example.org',
  'localhost',
  'a@b.org',
  ':80',
  '/#x',
  '(',
  ')',
  '.',
  '"',
];
const betweenWords = [' ', '\n', '\r\n', '\t', '\u00a0', '\u2028', '\ufffc', 'x'];

test('the URLs are those that the library finds in the whole text', () => {
  for (const one of aroundUrls) {
    for (const two of aroundUrls) {
      for (const between of betweenWords) {
        const text = `${one}${two}${between}${two}example.org${one} ${one}${two}${between}https://end.example${two}`;
        const inWhole = find(text, 'url').filter(({ value }) => /^https?:\/\/[^/?#]/i.test(value));
        expect(findLinks(text)).toEqual(inWhole.map(({ value, start, end }) => ({ value, start, end })));
      }
    }
  }
});

/** What ends a URL, by Unicode properties, and punctuation that has no property of its own. */
const endings = Array.from({ length: 0x3_00_00 }, (_none, code) => code)
  .filter((code) => code > 0x7f && (code < 0xd800 || code > 0xdfff))
  .map((code) => String.fromCodePoint(code))
  .filter((character) =>
    /[\p{Quotation_Mark}\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Sentence_Terminal}\p{White_Space}\p{Bidi_Control}…\u00AD\u200B\u2060\uFEFF]/u.test(
      character,
    ),
  )
  .concat(Array.from('，、；：؟،؛።๚፣'));

test('a URL ends before quotation marks, brackets, punctuation and format characters of every script', () => {
  expect(endings.length).toBeGreaterThan(250);
  const url = 'https://example.org/a?b=c#d';
  const wrong = endings.filter((ending) =>
    [`${url}${ending}`, `${url}${ending} then`, `${ending}${url}.${ending}then`, `(${url}${ending})`].some(
      (text) => JSON.stringify(findEntities(text).urls.map((found) => found.url)) !== JSON.stringify([url]),
    ),
  );
  expect(wrong.map((ending) => ending.codePointAt(0)?.toString(16))).toEqual([]);
});

test.each([
  'https://fa.example/می\u200Cخواهم',
  'https://hi.example/क\u094D\u200Dष',
  'https://example.org/👩‍👩‍👧/❤️/🇩🇪/1️⃣',
  'https://ca.example/col·lecció',
  'https://example.org/Michelson–Morley',
  'https://日本.example/三毛猫ー',
  'https://example.org/e\u0301',
])('%s is one URL', (url) => {
  for (const text of [url, `${url} then`, `«${url}»`, `${url}\u200D`, `${url}–`, `${url}。`]) {
    expect(findEntities(text).urls.map((found) => found.url)).toEqual([url]);
  }
});

test.each(['https:///x', 'https://?x', 'http://#x', 'https://', 'http:///', 'https:///example.org'])(
  '%s is no URL',
  (text) => {
    expect(findEntities(`see ${text} there`).urls).toEqual([]);
  },
);

test.each([
  ['#می\u200Cخواهم', ['می\u200Cخواهم']],
  ['#ශ\u0DCA\u200Dරී #क\u094D\u200Dष', ['ශ\u0DCA\u200Dරී', 'क\u094D\u200Dष']],
  // Joiners show nothing between Latin letters, and at the end.
  ['#ab\u200Cc #می\u200C #می\u200D.', ['ab', 'می']],
  ['❤️#heart 1️⃣#one ❤︎#text', ['heart', 'one']],
  ['#️⃣ #️⃣tag #1️⃣ #tag❤️ #tag1️⃣', ['tag', 'tag1']],
  ['e\u0301#none 日#none', []],
])('hashtags of %j in scripts with joiners, and beside emoji', (text, tags) => {
  expect(findEntities(text).hashtags.map((hashtag) => hashtag.text)).toEqual(tags);
});

test('every hashtag that is found has a key, and a page', () => {
  for (const text of ['#می\u200Cخواهم', '#ශ\u0DCA\u200Dරී', '#tag1️⃣', '#e\u0301']) {
    expect(findEntities(text).hashtags.map((hashtag) => toHashtagKey(hashtag.text))).toEqual([
      findEntities(text).hashtagKeys[0],
    ]);
  }
});

const beforeMentions = Array.from({ length: 0x3_00_00 }, (_none, code) => code)
  .filter((code) => code >= 0x20 && (code < 0xd800 || code > 0xdfff))
  .map((code) => String.fromCodePoint(code))
  .filter((character) => /[\p{P}\p{Z}\p{S}\p{Variation_Selector}]/u.test(character) && !/[_@/#&]/.test(character));

test('mentions and hashtags are found after punctuation, symbols and spaces of every script', () => {
  const isMark = (character: string) => /\p{M}/u.test(character) && !/\p{Emoji_Component}/u.test(character);
  const wrong = beforeMentions.filter((character) => {
    const { mentions, hashtags } = findEntities(`${character}@alice_ ${character}#tag`);
    return (mentions.length === 1 && hashtags.length === 1) === isMark(character);
  });
  expect(wrong.map((character) => character.codePointAt(0)?.toString(16))).toEqual([]);
});

test.each([
  [
    '.@alice_ -@bobby1 +@carol1 Thanks.@dave12 ❤️@erin99 1️⃣@frank1',
    ['alice_', 'bobby1', 'carol1', 'dave12', 'erin99', 'frank1'],
  ],
  ['@alice_@bobby1 @alice_@mastodon.example @alice_@ümlaut.example', []],
  ['a+@alice_ a-@alice_ e\u0301@alice_', []],
  ['@alice_@ then', ['alice_']],
])('mentions of "%s" beside punctuation', (text, names) => {
  expect(findEntities(text).mentions.map(({ name }) => name)).toEqual(names);
});
