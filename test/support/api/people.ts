import { randomBytes } from 'node:crypto';

import { acceptAllRequests } from '@linnet/social/follow/follow-request-store';
import type { RunningApi } from './running-api.ts';

export interface Sent {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read into it freely
  readonly body: any;
}

/** A person who uses the API, for tests that read like sentences: `await ada.likes(post)`. */
export interface Person {
  readonly id: number;
  readonly username: string;
  get(target: string): Promise<Sent>;
  post(path: string, body: Readonly<Record<string, unknown>>): Promise<Sent>;
  /** The id of the new post. */
  writes(message: string): Promise<number>;
  /** The id of the new comment. */
  comments(post: number, text?: string, parent?: number): Promise<number>;
  likes(post: number): Promise<Sent>;
  unlikes(post: number): Promise<Sent>;
  reposts(post: number): Promise<Sent>;
  unreposts(post: number): Promise<Sent>;
  bookmarks(post: number): Promise<Sent>;
  unbookmarks(post: number): Promise<Sent>;
  follows(other: Person): Promise<Sent>;
  unfollows(other: Person): Promise<Sent>;
  approves(other: Person): Promise<Sent>;
}

const json = { 'content-type': 'application/json' };

/** Registers three people, whose usernames begin with `ada_`, `ben_` and `cleo_`: new ones for each test. */
export async function registerThree(api: RunningApi): Promise<readonly [ada: Person, ben: Person, cleo: Person]> {
  const suffix = randomBytes(4).toString('hex');
  const named = async (name: string) => await registerPerson(api, `${name}_${suffix}`);
  return [await named('ada'), await named('ben'), await named('cleo')];
}

export async function registerPerson(api: RunningApi, username: string): Promise<Person> {
  return personAt(api, await api.register(username));
}

/** The same person at another server. */
export function personAt(api: RunningApi, { id, username }: Pick<Person, 'id' | 'username'>): Person {
  const claims = { acct: id };
  const get: Person['get'] = async (target) => await api.call(`GET ${target}`, { claims });
  const post: Person['post'] = async (path, body) =>
    await api.call(`POST ${path}`, { claims, body: JSON.stringify(body), headers: json });
  const react = async (path: string, postId: number) => await post(path, { item_id: postId, type: 'post' });
  return {
    id,
    username,
    get,
    post,
    writes: async (message) => Number((await post('/post/create', { message })).body.items.id),
    comments: async (postId, text = 'a comment', parentId) =>
      Number((await post('/comment/create', { item_id: postId, type: 'post', text, parent_id: parentId })).body.id),
    likes: async (postId) => await react('/likes/add', postId),
    unlikes: async (postId) => await react('/likes/delete', postId),
    reposts: async (postId) => await react('/reposts/add', postId),
    unreposts: async (postId) => await react('/reposts/delete', postId),
    bookmarks: async (postId) => await react('/bookmarks/add', postId),
    unbookmarks: async (postId) => await react('/bookmarks/delete', postId),
    follows: async (other) => await post('/follows/add', { id: other.id }),
    unfollows: async (other) => await post('/follows/delete', { id: other.id }),
    approves: async (other) => await post('/follows/requests/approve', { id: other.id }),
  };
}

/** Makes an account protected or open, as an update of the account does. */
export async function setProtected(api: RunningApi, person: Person, value: boolean): Promise<void> {
  await api.db.transaction(async (tx) => {
    if (!value) await acceptAllRequests(tx, person.id);
    await tx.query({ name: 'test_protect', text: 'UPDATE account SET protected = $2 WHERE id = $1' }, [
      person.id,
      value,
    ]);
  });
}
