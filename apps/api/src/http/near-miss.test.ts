import { routesByName } from '@linnet/contract/routes';
import { expect, test } from 'vitest';
import { z } from 'zod';

import { findNearMiss } from './near-miss.ts';

const namesOf = Object.entries(routesByName).map(
  ([route, { input }]) => [route, z.instanceof(z.ZodObject).parse(input).keyof().options.map(String)] as const,
);

/** Each name with one mistake of every kind. */
function mistakesIn(name: string): readonly string[] {
  const letters = [...name];
  return [
    name.toUpperCase(),
    `_${name}`,
    name.replaceAll('_', ''),
    name.replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase()),
    `the_${name}`,
    `${name}_value`,
    ...(letters.length < 5 ? [] : [`${name}x`]),
    ...(letters.length < 5 ? [] : letters.map((_letter, index) => letters.toSpliced(index, 1).join(''))),
    ...(letters.length < 5 ? [] : letters.map((_letter, index) => letters.with(index, 'x').join(''))),
  ].filter((mistake) => mistake !== name);
}

test.each(namesOf)('%s: each parameter is found with one mistake in its name', (_route, names) => {
  for (const name of names) {
    const others = names.filter((other) => other !== name);
    for (const mistake of mistakesIn(name)) {
      if (others.includes(mistake) || findNearMiss(mistake, others) !== undefined) continue;
      expect([mistake, findNearMiss(mistake, names)]).toEqual([mistake, name]);
    }
  }
});

test.each([
  [['id', 'username'], 'user_id', 'id'],
  [['id', 'username'], 'user_name', 'username'],
  [['id', 'username'], 'userame', 'username'],
  [['id', 'username'], 'uid', 'id'],
  [['query', 'count'], 'q', 'query'],
  [['message', 'media'], 'media_id', 'media'],
  [['user_id', 'count', 'page'], 'id', 'user_id'],
  [['user_id', 'count', 'page'], 'limit', 'count'],
  [['user_id', 'count', 'page'], 'page_size', 'count'],
  [['displayName', 'description'], 'first_name', 'displayName'],
  [['displayName', 'description'], 'display_name', 'displayName'],
  [['count', 'page'], 'conut', 'count'],
  [['count', 'page'], 'country', undefined],
  [['count', 'page'], 'user_id', undefined],
  [['count', 'page'], '_', undefined],
  [['count', 'page'], '', undefined],
  [['count', 'page'], '__proto__', undefined],
  [['count', 'page'], 'access_token', undefined],
  [['id', 'username'], 'verified', undefined],
  [['id'], 'x'.repeat(60_000), undefined],
])('of %j, %s is %s', (known, given, meant) => {
  expect(findNearMiss(given, known)).toBe(meant);
});
