/** The SDK name of a row: `posts.create` for `post-create`, `feed.list` for `feed`. */
import type { Route } from './route.ts';

/** Nouns that are singular in the paths. */
const plurals: Readonly<Record<string, string>> = { post: 'posts', comment: 'comments' };

export function callNameOf({ id }: Pick<Route, 'id'>): readonly [noun: string, verb: string] {
  const [noun, ...rest] = id.split('-');
  if (noun === undefined) throw new TypeError('a row needs an id');
  const verb = rest.join('-').replaceAll(/-(\w)/g, (_match, letter: string) => letter.toUpperCase());
  return [plurals[noun] ?? noun, verb === '' ? 'list' : verb];
}
