import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { findHardCodedText } from '@linnet/test/ui/hard-coded-text';
import { renderToString } from 'preact-render-to-string';
import { expect, test } from 'vitest';

import { catalogues } from '../i18n/messages.ts';
import { samplePages } from '@linnet/test/auth/sample-pages';

const rooms = join(import.meta.dirname, '../..');
const sampleFolder = join(import.meta.dirname, '../../../../../test/support/auth');

/** The same in every language: names of the service, its host, people, applications and languages. */
const names = [
  'Weather Bird',
  'Linnet',
  'localhost:3000',
  ...['@grace_hopper', '@ada_lovelace', '#looms'],
  ...Object.values(catalogues).map(({ languageName }) => languageName),
];

/** Removes names and URLs. */
function wordsOf(piece: string): string {
  return names.reduce((rest, name) => rest.replaceAll(name, ''), piece.replaceAll(/https?:\/\/\S+/g, ''));
}

test.each(Object.entries(samplePages('marked')))('%s: every word comes from the catalogue', (_name, page) => {
  const pieces = findHardCodedText(renderToString(page));
  expect(pieces.filter((piece) => /\p{L}/u.test(wordsOf(piece)))).toEqual([]);
});

test('every page has a sample', () => {
  const samples = globSync('sample-*.ts', { cwd: sampleFolder }).map((file) =>
    readFileSync(join(sampleFolder, file), 'utf8'),
  );
  const pages = globSync('**/*-page.tsx', { cwd: rooms });
  expect(pages.length).toBeGreaterThan(20);
  expect(pages.filter((page) => !samples.some((sample) => sample.includes(basename(page))))).toEqual([]);
});
