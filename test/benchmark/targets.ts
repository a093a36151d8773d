import type { Client } from '../support/api-client.ts';
import type { Conversation, LoadRequest, Target } from './load.ts';
import { heavy } from './social-data.ts';
import type { Caller, SignedIn, World } from './world.ts';

const form = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
const message = 'A post with a #hashtag, an address https://example.org/page and some text.';

/** What `pnpm bench` measures, in the order of the table. */
export function createTargets(world: World): readonly Target[] {
  const { callers, postIds, service, signedIn } = world;
  const origin = service.baseUrl;
  const each = (build: (caller: Caller, index: number) => LoadRequest) => callers.map(build);
  const posts = (count: number, offset: number) => postIds.slice(offset * count, (offset + 1) * count);
  return [
    { name: 'POST /oauth/token', origin, requests: each((caller) => tokenRequest(caller)) },
    {
      name: 'GET /post/show',
      origin,
      requests: callers.flatMap((caller, index) =>
        posts(10, index).map((id) => read(caller, `/post/show?id=${String(id)}`)),
      ),
    },
    {
      name: 'GET /users/show',
      origin,
      requests: each((caller, index) => read(caller, `/users/show?id=${String(accountOf(callers, index + 1))}`)),
    },
    ...lists(world),
    ...searches(world),
    ...writes(world),
    {
      name: 'POST /oauth/introspect',
      origin,
      requests: each((caller) => post('/oauth/introspect', { token: caller.accessToken }, basic(caller))),
    },
    { name: 'GET /oauth/jwks', origin, requests: [get('/oauth/jwks')] },
    { name: 'GET /.well-known', origin, requests: [get('/.well-known/openid-configuration')] },
    {
      name: 'authorize + code',
      origin,
      requests: (connection) => exchangeCodes(personOf(signedIn, connection)),
      requestsPerCall: 2,
    },
    { name: 'refresh', origin, requests: (connection) => refresh(personOf(signedIn, connection)) },
    { name: 'GET /oauth/userinfo', origin, requests: signedIn.flatMap(userinfo) },
    {
      name: 'GET /interaction (consent)',
      origin,
      requests: signedIn.map(({ consentPath, cookie }) => get(consentPath, { cookie, accept: 'text/html' })),
    },
  ];
}

function lists({ callers, service: { baseUrl: origin } }: World): readonly Target[] {
  return [
    ['GET /post, 70 posts', `/post?user_id=${String(heavy.author)}&count=70`],
    ['GET /feed, 20 posts', '/feed?count=20'],
    ['GET /timeline/public, 20', '/timeline/public?count=20'],
    ['GET /notifications, 20', '/notifications?count=20'],
  ].map(([name = '', path = '']) => ({ name, origin, requests: callers.map((caller) => read(caller, path)) }));
}

/** For a word of every 1,000th post, which the index finds, and for one of every third, which is among the latest posts. */
function searches({ callers, service: { baseUrl: origin } }: World): readonly Target[] {
  return [
    ['rare', 'every1000'],
    ['frequent', 'some%20every3'],
  ].map(([kind, query]) => ({
    name: `GET /search/posts, ${String(kind)} word`,
    origin,
    requests: callers.map((caller) => read(caller, `/search/posts?query=${String(query)}&count=20`)),
  }));
}

/** After the calls that read: these must not depend on how many posts were created. */
function writes(world: World): readonly Target[] {
  const origin = world.service.baseUrl;
  const create = (caller: Caller) => write(caller, '/post/create', { message });
  return [
    { name: 'POST /likes/add', origin, requests: likes(world), isSequence: true },
    { name: 'POST /likes/add + delete', origin, requests: likesAndDeletions(world) },
    { name: 'POST /post/create', origin, requests: world.authors.map(create) },
  ];
}

/** A deep page of a long list: page 40 has the posts 2731 to 2800. */
export function deepList({ callers, service }: World): Target {
  const path = `/post?user_id=${String(heavy.author)}&count=70&page=40`;
  return { name: 'GET /post, page 40', origin: service.baseUrl, requests: callers.map((one) => read(one, path)) };
}

function personOf(people: readonly SignedIn[], connection: number): SignedIn {
  const person = people[connection % people.length];
  if (person === undefined) throw new Error('nobody is signed in');
  return person;
}

function accountOf(callers: readonly Caller[], index: number): number {
  return callers[index % callers.length]?.accountId ?? 0;
}

/** Every request likes a post that its account has not liked yet. Everybody takes turns, because each has a limit. */
function likes({ authors, postIds, ...world }: World): () => Conversation {
  const callers = [...world.callers, ...authors];
  let next = 0;
  return function* like(): Conversation {
    for (;;) {
      const caller = callers[next % callers.length];
      const id = postIds[Math.floor(next / callers.length)];
      if (caller === undefined || id === undefined) throw new Error('every caller has liked every post');
      next += 1;
      yield write(caller, '/likes/add', { item_id: id, type: 'post' });
    }
  };
}

/** Every caller likes so many posts before the likes are deleted: more in all than there are connections. */
const likedInTurn = 2;
const turns = 50;

/** Of the oldest posts, whose likes no other call changes. */
function likesAndDeletions({ authors, postIds, ...world }: World): readonly LoadRequest[] {
  const callers = [...world.callers, ...authors];
  const oldest = postIds.slice(-callers.length * likedInTurn * turns);
  const perTurn = callers.length * likedInTurn;
  return Array.from({ length: Math.floor(oldest.length / perTurn) }, (_, turn) => {
    const ids = oldest.slice(turn * perTurn, (turn + 1) * perTurn);
    return ['add', 'delete'].flatMap((change) =>
      Array.from({ length: likedInTurn }, (__, round) =>
        callers.map((caller, index) =>
          write(caller, `/likes/${change}`, { item_id: ids[round * callers.length + index], type: 'post' }),
        ),
      ).flat(),
    );
  }).flat();
}

function authorize({ authorizePath, cookie, address }: SignedIn): LoadRequest {
  return get(authorizePath, { cookie, accept: 'text/html', 'x-forwarded-for': address });
}

function* exchangeCodes(signedIn: SignedIn): Conversation {
  for (;;) {
    const { headers, body } = yield authorize(signedIn);
    const { location } = headers;
    if (location === undefined) throw new Error(`the authorization request was not answered with a code: ${body}`);
    yield exchange(signedIn, location);
  }
}

function* refresh(signedIn: SignedIn): Conversation {
  const { headers } = yield authorize(signedIn);
  let { body } = yield exchange(signedIn, headers['location'] ?? '');
  for (;;) {
    const refreshToken = String(JSON.parse(body).refresh_token);
    const parameters = { grant_type: 'refresh_token', refresh_token: refreshToken };
    ({ body } = yield post('/oauth/token', parameters, {
      ...basic(signedIn.client),
      'x-forwarded-for': signedIn.address,
    }));
  }
}

function exchange({ client, codeVerifier, redirectUri, address }: SignedIn, location: string): LoadRequest {
  const parameters = {
    grant_type: 'authorization_code',
    code: new URL(location).searchParams.get('code') ?? '',
    redirect_uri: redirectUri,
    code_verifier: codeVerifier,
  };
  return post('/oauth/token', parameters, { ...basic(client), 'x-forwarded-for': address });
}

function userinfo({ accessTokens }: SignedIn): readonly LoadRequest[] {
  return accessTokens.map((accessToken) => get('/oauth/userinfo', bearer({ accessToken })));
}

/** An application gets a token and reads about its owner with it. */
export function tokensInUse({ callers, service }: World): Target {
  return {
    name: 'token + GET /users/show',
    origin: service.baseUrl,
    requestsPerCall: 2,
    requests: (connection) => useTokens(callers[connection % callers.length]),
  };
}

function* useTokens(caller?: Caller): Conversation {
  if (caller === undefined) throw new Error('there are no callers');
  for (;;) {
    const { body } = yield tokenRequest(caller);
    const accessToken = String(JSON.parse(body).access_token);
    yield read({ ...caller, accessToken }, `/users/show?id=${String(caller.accountId)}`);
  }
}

function tokenRequest(caller: Caller): LoadRequest {
  return post('/oauth/token', { grant_type: 'client_credentials' }, basic(caller));
}

function basic({ id, secret }: Client): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
}

function get(path: string, headers: Readonly<Record<string, string>> = {}): LoadRequest {
  return { method: 'GET', path, headers: { accept: 'application/json', ...headers } };
}

function post(
  path: string,
  parameters: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): LoadRequest {
  return {
    method: 'POST',
    path,
    headers: { ...form, ...headers },
    body: new URLSearchParams(parameters).toString(),
  };
}

function read(caller: Caller, path: string): LoadRequest {
  return get(`/api/v2.0${path}`, bearer(caller));
}

function bearer({ accessToken }: { readonly accessToken: string }): Record<string, string> {
  return { authorization: `Bearer ${accessToken}` };
}

function write(caller: Caller, path: string, input: unknown): LoadRequest {
  const { headers } = read(caller, path);
  return {
    method: 'POST',
    path: `/api/v2.0${path}`,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(input),
  };
}
