import { describe, expect, test } from 'vitest';

import { findHardCodedText, markTexts } from './hard-coded-text.ts';

const texts = markTexts(
  {
    language: 'en',
    title: 'Title',
    list: ['one', 'two'],
    inner: { count: (count: number) => `${String(count)} things` },
    rich: (name: unknown): readonly unknown[] => ['Your username is ', name, '.'],
  },
  ['language'],
);

test('marks the texts of a catalogue and keeps its shape', () => {
  expect(texts).toMatchObject({ language: 'en', title: '⟦Title⟧', list: ['⟦one⟧', '⟦two⟧'] });
  expect(texts.inner.count(2)).toBe('⟦2 things⟧');
  expect(texts.rich(1)).toEqual(['⟦', 'Your username is ', 1, '.', '⟧']);
});

describe('hard-coded text', () => {
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
    ['<p>⟦ open</p>', 'unbalanced marks'],
  ])('is found in %s', (html, text) => {
    expect(findHardCodedText(html)).toEqual([text]);
  });

  test.each([
    '<!DOCTYPE html><p>⟦Title⟧</p>',
    '<p>⟦You are <b>Ada</b>.⟧</p>',
    '<p>⟦Title⟧: <code>SELECT 1</code> <pre>curl <b>-s</b></pre> <textarea rows="2">typed</textarea> 12 %</p>',
    '<img src="/not-a-text" alt="⟦Title⟧" class="wide"/>',
    '<meta name="viewport" content="width=device-width"/>',
    '<a href="/words/in/addresses" lang="en"></a>',
  ])('is absent from %s', (html) => {
    expect(findHardCodedText(html)).toEqual([]);
  });
});
