import { find } from 'linkifyjs';
import { expect, test } from 'vitest';

import { adversarialInputs, maxLinearGrowth, measureGrowth } from '@linnet/test/social/linear-time';
import { findEntities, findLinks } from './post-text.ts';

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
])('D13 D77 D86 hashtags of "%s"', (text, tags) => {
  expect(findEntities(text).hashtags.map((hashtag) => hashtag.text)).toEqual(tags);
});

test.each([
  ['see https://example.org/path.', ['https://example.org/path']],
  ['(http://example.org/a_(b)) and HTTP://EXAMPLE.ORG', ['http://example.org/a_(b)', 'HTTP://EXAMPLE.ORG']],
  ['"https://example.org/?q=1&r=2#frag", then', ['https://example.org/?q=1&r=2#frag']],
  ['example.org node.js ftp://example.org javascript:alert(1) mail@example.org', []],
  ['https://müller.example/ü', ['https://müller.example/ü']],
])('D12 D76 URLs of "%s"', (text, urls) => {
  expect(findEntities(text).urls.map(({ url }) => url)).toEqual(urls);
});

test.each([
  ['@alice_ hello @Bobby1', ['alice_', 'bobby1']],
  ['mail@alice_ x.@alice_ https://example.org/@alice_', []],
  ['@abcd is too short, so is @a', []],
  [`@${'a'.repeat(33)} is too long, @${'a'.repeat(32)} is not`, ['a'.repeat(32)]],
  ['@alice_ @ALICE_ (@carol1) @dave12, @erin99!', ['alice_', 'carol1', 'dave12', 'erin99']],
])('mentions of "%s"', (text, names) => {
  expect(findEntities(text).mentionedNames).toEqual(names);
});

test('Details 7 indices are half-open ranges of code points that include the #', () => {
  const text = '👩‍👩‍👧 𝒳 #größe💙 then https://example.org/😀 end';
  const { hashtags, urls } = findEntities(text);
  expect(hashtags.map(({ indices }) => select(text, indices))).toEqual(['#größe']);
  expect(urls.map(({ indices, url }) => [select(text, indices), url])).toEqual([[urls[0]?.url, urls[0]?.url]]);
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
        const inWhole = find(text, 'url').filter(({ value }) => /^https?:\/\//i.test(value));
        expect(findLinks(text)).toEqual(inWhole.map(({ value, start, end }) => ({ value, start, end })));
      }
    }
  }
});
