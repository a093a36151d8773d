import { fileURLToPath } from 'node:url';

import { describe, expect, test } from 'vitest';

import { findBannedPhrases, roomOf } from './prose.ts';
import { readRepository } from './repository-files.ts';

/** Code, documents and English texts are free of the turns of phrase in `prose.ts` (docs/style.md#text). */

/** Rooms that are still being cleaned. Remove a room once it is clean; never add one. */
const allowed: readonly string[] = [];

/** The specification is quoted as it is; other languages have their own words; these two files list the phrases. */
const exempt = /^docs\/microblog-rest-api\.md$|\/i18n\/(?:de|fr|es)\/|^test\/architecture\/prose(?:\.test)?\.ts$/u;
/** What is not prose of the document itself: tables that name what not to write, and titles of tests. */
const quotes: Readonly<Record<string, RegExp>> = {
  'docs/glossary.md': /^\|.*$/gmu,
  'docs/style.md': /^\|.*$/gmu,
  'docs/api/spec-decisions.md': /“[^”]*”/gu,
};

/** Where two versions run side by side: upgrades, and the files of their mechanism. */
const upgrades =
  /migrat|upgrade|\/previous-release\.ts$|\/contract-statements\.ts$|\/database-checks\.ts$|^(?:prisma|packages\/db|docs\/operations)\/README\.md$/u;

const root = fileURLToPath(new URL('../../', import.meta.url));
const files = new Map(
  [...readRepository(root, ['.ts', '.tsx', '.md'])]
    .filter(([path]) => !exempt.test(path))
    .map(([path, text]) => [path, text.replaceAll(quotes[path] ?? /(?!)/gu, '')] as const)
    .map(
      ([path, text]) =>
        [path, upgrades.test(path) ? text.replaceAll(/(?:earlier|previous) (?=version|release)/gu, '') : text] as const,
    ),
);
const findings = findBannedPhrases(files);

test('no banned phrase is used', () => {
  expect(files.size).toBeGreaterThan(800);
  const shown = findings
    .filter(({ path }) => !allowed.includes(roomOf(path)))
    .map(({ path, line, found, instead }) => `${path}:${String(line)}: "${found}" (${instead})`);
  expect(shown).toEqual([]);
});

/** Forms of address, and other words for what the glossary names, in texts of pages, mail and the web client. */
const foreign = {
  de: /[\p{Ll},}] (?:Sie|Ihnen|Ihre?[mnrs]?)(?!\p{L})|(?<!\p{L})Betrieb(?:ers?)?(?!\p{L})|zweite[nr]? Faktor|zwei Schritten/u,
  fr: /(?<![\p{L}-])(?:tu|toi|ton|tes)(?!\p{L})|(?<!\p{L})[Tt]’|opérateur|exploitant|second facteur|deux étapes|(?<!\p{L})applis?(?!\p{L})/u,
  es: /(?<!\p{L})(?:ustedes|usted|vosotr[ao]s|os|seguirle|pedirle|Abra|Añada|Compruebe|Confirme|Elija|Escriba|Espere|Envíe|Inicie|Introduzca|Pida|Quite|Vuelva|operador|operadores|segundo factor|dos pasos)(?!\p{L})/u,
};

test.each(Object.entries(foreign))(
  'the texts say du, vous and tú, and one word for one thing (%s)',
  (language, wrong) => {
    const texts = [...readRepository(root, ['.ts'])].filter(([path]) =>
      new RegExp(`/i18n/${language}[-./]`, 'u').test(path),
    );
    expect(texts.length).toBeGreaterThan(10);
    const found = texts.flatMap(([path, text]) =>
      text
        .split('\n')
        .filter((line) => wrong.test(line))
        .map((line) => path + line),
    );
    expect(found).toEqual([]);
  },
);

test('no room that is clean is still allowed to be unclean', () => {
  const unclean = new Set(findings.map(({ path }) => roomOf(path)));
  expect(allowed.filter((room) => !unclean.has(room))).toEqual([]);
});

describe('planted in a file', () => {
  const find = (text: string) => findBannedPhrases(new Map([['a.ts', text]]));

  test.each([
    ['anew', '// Reads the keys anew.'],
    ['whoever', "test('whoever asks')"],
    ['of now', "yourFollowers: 'Your followers of now stay.'"],
    ['lets in', '/** Lets in the request. */'],
    ['let it in', '/** Nobody has let it in. */'],
    ['tells of', '// The feed tells of new keys.'],
    ['one can', '// Since then, one can sign in.'],
    ['is told', '/** Every process is told. */'],
    ['hands on', '// hands on the error'],
    ['goes on', '// The form goes on.'],
    ['good once', '// A code is good once.'],
    ['is away', '// while the database is away'],
    ['isLiving', 'const sql = isLiving(alias);'],
    ['earlier version', '// Null in rows of earlier versions.'],
    ['previous version', '// Servers of the previous version need it.'],
    ['once had', '// A page once had 80 of them.'],
    ['until now', '// What was removed until now.'],
    ['in the mean', 'takes three cores in the mean.'],
    ['by which words', '// Stores by which words a post is found.'],
    ['has come to', '// What the request has come to.'],
    ['findAfresh', 'cache.findAfresh(id)'],
  ])('finds "%s"', (_phrase, text) => {
    expect(find(text)).toHaveLength(1);
  });

  test('finds a phrase that a line end breaks, and names its line', () => {
    expect(find('/**\n * Says what the page hands\n   * on.\n */')).toEqual([
      { path: 'a.ts', line: 2, found: 'hands on', instead: 'pass on, forward' },
    ]);
    expect(find('// so that one\n    // can sign in').map(({ line }) => line)).toEqual([]);
    expect(find('// where one\n    // can sign in').map(({ line }) => line)).toEqual([1]);
  });

  test.each([
    'The former one can go.',
    'hands-on',
    'no more than ten',
    'stands for',
    'The link is good for 24 hours.',
    'a cost of living-room size',
    'in clear text',
    'In the meantime, the previous versions of a post stay.',
    'The code is used once. Was it sent?',
    'renewed, ongoing, foretold',
  ])('accepts "%s"', (text) => {
    expect(find(text)).toEqual([]);
  });
});

test('names rooms', () => {
  const paths = ['README.md', 'docs/decisions/README.md', 'test/README.md', 'test/e2e/b/c.ts', 'packages/db/src/a.ts'];
  expect(paths.map(roomOf)).toEqual(['.', 'docs', 'test', 'test/e2e', 'packages/db']);
  expect(['apps/auth/README.md', 'apps/auth/src/app.ts', 'apps/auth/src/pages/http/a.ts'].map(roomOf)).toEqual([
    'apps/auth',
    'apps/auth/src',
    'apps/auth/src/pages',
  ]);
});
