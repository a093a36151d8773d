import { createHash, randomUUID } from 'node:crypto';

import { password, requestToken } from './api-client.ts';
import type { Client } from './api-client.ts';
import { agreeAt } from './guides/consent.ts';
import { createHttpBrowser } from './http-browser.ts';
import type { HttpBrowser } from './http-browser.ts';

/** What people did and were given before an upgrade. */
export interface Past {
  /** Rows that it has left in the tables of these names. */
  readonly rows: Readonly<Record<'post' | 'comment' | 'post_like' | 'repost' | 'follow' | 'media', number>>;
  /**
   * Responses that the upgrade may only add members to, by what was asked: people, posts, lists, the bytes of a picture, a keyed write
   * that is repeated, and what tokens and a session from before are worth. Each call refreshes the tokens.
   */
  read(): Promise<Readonly<Record<string, unknown>>>;
}

/** Applications of the service. The first acts as its owner, the second signs in the person. */
export interface PastWorld {
  readonly baseUrl: string;
  readonly client: Client;
  readonly publicClientId: string;
  readonly redirectUri: string;
  readonly username: string;
}

const people = ['Grace', 'Katherine', 'Margaret', 'Radia'];
const verifier = 'v'.repeat(43);
const challenge = createHash('sha256').update(verifier).digest('base64url');
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

interface Response {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read into it freely
  readonly body: any;
}

/** Fills a service with accounts, posts, comments, likes, reposts, follows, a picture, tokens and a session. */
export async function createPast(world: PastWorld): Promise<Past> {
  const requestBefore = async () => String((await requestToken(world.baseUrl, world.client)).body.access_token);
  const token = await requestBefore();
  const revoked = await requestBefore();
  await revoke(world, revoked);
  const write = { token, path: '/post/create', content: { message: 'Keyed, for @ada_lovelace' }, key: randomUUID() };
  const records = await createRecords(world, token, Number(expectOk(await callApi(world, write)).items.id));
  const signedIn = await signIn(world);
  const read = async (path: string) => [path, expectOk(await callApi(world, { token, path }))] as const;
  return {
    rows: { post: 2, comment: 1, post_like: 1, repost: 1, follow: people.length, media: 1 },
    read: async () => ({
      ...Object.fromEntries(await Promise.all(pathsTo(records).map(read))),
      'a keyed write that is repeated': await callApi(world, write),
      'a picture': await fetchPicture(world, token, records.media),
      'a revoked token': (await callApi(world, { token: revoked, path: '/feed' })).status,
      ...(await signedIn()),
    }),
  };
}

/** Ids. */
interface Records {
  readonly own: number;
  readonly friends: readonly number[];
  readonly post: number;
  readonly pictured: number;
  readonly media: number;
}

async function createRecords(world: PastWorld, token: string, post: number): Promise<Records> {
  const call = async (path: string, content?: object) => expectOk(await callApi(world, { token, path, content }));
  const friends: number[] = [];
  for (const name of people) friends.push(await createFriend(call, name));
  const media = Number(expectOk(await upload(world, token)).finally.media_id);
  const { items: pictured } = await call('/post/create', { message: 'With a picture #before', media });
  const item = { item_id: String(post), type: 'post' };
  for (const path of ['/likes/add', '/reposts/add']) await call(path, item);
  await call('/comment/create', { ...item, text: 'A comment' });
  const { id: own } = await call('/users/show');
  return { own, friends, post, pictured: pictured.id, media };
}

async function createFriend(call: (path: string, content: object) => Promise<Response['body']>, name: string) {
  const email = `${name.toLowerCase()}@example.org`;
  const { user } = await call('/auth/register', { first_name: name, last_name: 'Before', email, password });
  await call('/follows/add', { id: user.id });
  return Number(user.id);
}

function pathsTo({ own, friends, post, pictured, media }: Records): readonly string[] {
  const [friend] = friends;
  return [
    ...['/users/show', `/users/show?id=${String(friend)}`, '/media'],
    ...['/users/following?', '/users/favorites?', '/post?user_'].map((path) => `${path}id=${String(own)}`),
    ...[`/post/show?id=${String(post)}`, `/post/show?id=${String(pictured)}`, `/media/show?id=${String(media)}`],
    ...[`/comment?item_id=${String(post)}&type=post`, `/likes/is_liked?item_id=${String(post)}&type=post`],
    ...[`/follows/is_following?id=${String(friend)}`, '/account/check_username?username=grace_before'],
  ];
}

function expectOk({ status, body }: Response) {
  if (status !== 200) throw new Error(`${String(status)} ${JSON.stringify(body)}`);
  return body;
}

interface Call {
  readonly token: string;
  readonly path: string;
  readonly content?: object | undefined;
  readonly key?: string | undefined;
}

async function callApi({ baseUrl }: PastWorld, { token, path, content, key }: Call): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json', 'accept-language': 'en' };
  const body = { method: 'POST', body: JSON.stringify(content) };
  const keyed = key === undefined ? {} : { 'idempotency-key': key };
  const response = await fetch(`${baseUrl}/api/v2.0${path}`, {
    headers: { ...headers, ...keyed, ...(content === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(content === undefined ? {} : body),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

async function upload({ baseUrl }: PastWorld, token: string): Promise<Response> {
  const body = new FormData();
  body.set('media', new Blob([png], { type: 'image/png' }), 'pixel.png');
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
  const response = await fetch(`${baseUrl}/api/v2.0/media/upload`, { method: 'POST', headers, body });
  return { status: response.status, body: await response.json() };
}

/** The digest of its bytes. */
async function fetchPicture(world: PastWorld, token: string, id: number): Promise<string> {
  const { body } = await callApi(world, { token, path: `/media/show?id=${String(id)}` });
  const [address = ''] = /http[^"]+\/media\/[^"]+/.exec(JSON.stringify(body)) ?? [];
  const bytes = new Uint8Array(await (await fetch(address)).arrayBuffer());
  return createHash('sha256').update(bytes).digest('hex');
}

async function revoke({ baseUrl, client: { id, secret } }: PastWorld, token: string): Promise<void> {
  const body = new URLSearchParams({ token, client_id: id, client_secret: secret });
  const { status } = await fetch(`${baseUrl}/oauth/revoke`, { method: 'POST', body });
  if (status !== 200) throw new Error(`/oauth/revoke: ${String(status)}`);
}

/** Signs in with a browser and authorizes the public application. Returns what the session and the tokens are worth. */
async function signIn(world: PastWorld) {
  const { baseUrl, publicClientId: id, redirectUri, username } = world;
  const browser = createHttpBrowser([baseUrl]);
  const query = new URLSearchParams({
    ...{ response_type: 'code', client_id: id, redirect_uri: redirectUri, scope: 'users posts', state: 's' },
    ...{ code_challenge: challenge, code_challenge_method: 'S256', prompt: 'consent' },
  });
  const address = `${baseUrl}/oauth/authorize?${query.toString()}`;
  const { url } = await agreeAt(address, { origins: [baseUrl], username, browser });
  const code = url.searchParams.get('code') ?? '';
  const exchange = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier };
  const first = expectOk(await postToken(world, exchange));
  let refresh = String(first.refresh_token);
  const nameOf = async (token: string) => {
    const { status, body } = await callApi(world, { token, path: '/users/show' });
    return [status, body.username];
  };
  return async () => {
    const refreshed = await postToken(world, { grant_type: 'refresh_token', refresh_token: refresh });
    refresh = String(refreshed.body.refresh_token);
    return {
      'an access token of a person': await nameOf(String(first.access_token)),
      'a refresh token': [refreshed.status, refreshed.body.scope],
      'a refreshed access token': await nameOf(String(refreshed.body.access_token)),
      'a session': await isSignedIn(browser, baseUrl),
    };
  };
}

async function postToken({ baseUrl, publicClientId }: PastWorld, parameters: Readonly<Record<string, string>>) {
  const body = new URLSearchParams({ ...parameters, client_id: publicClientId });
  const response = await fetch(`${baseUrl}/oauth/token`, { method: 'POST', body });
  return { status: response.status, body: await response.json() };
}

async function isSignedIn(browser: HttpBrowser, baseUrl: string): Promise<string> {
  return (await browser.open(`${baseUrl}/account/applications`)).url.pathname;
}
