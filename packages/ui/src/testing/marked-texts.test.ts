import { describe, expect, test } from 'vitest';

import { findUnmarked, markTexts } from './marked-texts.ts';

const texts = markTexts(
  {
    language: 'en',
    title: 'Title',
    list: ['one', 'two'],
    inner: { count: (count: number) => `${String(count)} things` },
    rich: (name: unknown): readonly unknown[] => ['You are ', name, '.'],
  },
  ['language'],
);

test('a catalogue keeps its shape, and its texts stand between marks', () => {
  expect(texts).toMatchObject({ language: 'en', title: '⟦Title⟧', list: ['⟦one⟧', '⟦two⟧'] });
  expect(texts.inner.count(2)).toBe('⟦2 things⟧');
  expect(texts.rich(1)).toEqual(['⟦', 'You are ', 1, '.', '⟧']);
});

describe('what a page says besides', () => {
  test.each([
    ['<p>Hard-coded</p>', 'Hard-coded'],
    ['<p>⟦Title⟧ and <b>⟦more⟧</b></p>', 'and'],
    ['<p>⟦You are <b>Ada</b>⟧ now</p>', 'now'],
    ['<img src="/a" alt="A bird"/>', 'A bird'],
    ['<nav aria-label="Main">', 'Main'],
    ['<a href="/a" title="⟦Title⟧ of it">', 'of it'],
    ['<input required placeholder="Search"/>', 'Search'],
    ['<meta name="description" content="About"/>', 'About'],
    ['<meta property="og:title" content="⟦Title⟧ by"/>', 'by'],
    ['<title>⟦Title⟧ · Site</title>', '· Site'],
    ['<code>a</code><p>Hard-coded</p>', 'Hard-coded'],
    ['<p>⟦ open</p>', 'a mark has no counterpart'],
  ])('is found in %s', (html, piece) => {
    expect(findUnmarked(html)).toEqual([piece]);
  });

  test.each([
    '<!DOCTYPE html><p>⟦Title⟧</p>',
    '<p>⟦You are <b>Ada</b>.⟧</p>',
    '<p>⟦Title⟧: <code>SELECT 1</code> <pre>curl <b>-s</b></pre> <textarea rows="2">typed</textarea> 12 %</p>',
    '<img src="/not-a-text" alt="⟦Title⟧" class="wide"/>',
    '<meta name="viewport" content="width=device-width"/>',
    '<a href="/words/in/addresses" lang="en"></a>',
  ])('is nothing in %s', (html) => {
    expect(findUnmarked(html)).toEqual([]);
  });
});
