import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

const readme = readFileSync(new URL('README.md', import.meta.url), 'utf8');

test('the README names existing files and tests only', () => {
  const names = [...readme.matchAll(/`([\w./-]+\.tsx?)`/g)].map(([, name = '']) => name);
  const roots = [new URL('.', import.meta.url), new URL('..', import.meta.url)];
  const missing = names.filter((name) => !roots.some((root) => existsSync(fileURLToPath(new URL(name, root)))));
  expect(names.length).toBeGreaterThan(40);
  expect(missing).toEqual([]);
});
