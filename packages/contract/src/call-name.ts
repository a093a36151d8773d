/** What a call is named in programs: `posts.create` of the row `post-create`, `feed.list` of `feed`. */
import type { Route } from './route.ts';

/** Nouns that the paths have in the singular. */
const plurals: Readonly<Record<string, string>> = { post: 'posts', comment: 'comments' };

export function callNameOf({ id }: Pick<Route, 'id'>): readonly [noun: string, verb: string] {
  const [noun = '', ...rest] = id.split('-');
  const verb = rest.join('-').replaceAll(/-(\w)/g, (_match, letter: string) => letter.toUpperCase());
  return [plurals[noun] ?? noun, verb === '' ? 'list' : verb];
}
