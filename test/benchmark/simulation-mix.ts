/** Which calls a simulated population makes: how often each, by whom, and about what (docs/operations/scale.md). */
import type { Conversation, LoadRequest, Target } from './load.ts';
import { heavy } from './social-data.ts';
import { createTargets } from './targets.ts';
import type { World } from './world.ts';

/** A kind of call. `send` makes one with `exchange`, which sends a request and returns the response. */
export interface SimulatedCall {
  readonly name: string;
  send(exchange: Exchange): Promise<void>;
}

export interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type Exchange = (request: LoadRequest) => Promise<Response>;

/** Share of the calls about one post, or about one author, that are about the most popular one. */
const [viralShare, celebrityShare] = [0.2, 0.3];

/** The calls of the model, by name. What they are about is skewed: few people and posts are popular, and one post is viral. */
export function createCalls(world: World, names: readonly string[]): readonly SimulatedCall[] {
  const targets = createTargets(world);
  const like = createLikes(world);
  const special: Readonly<Record<string, () => LoadRequest>> = {
    'GET /post/show': () => read(world, `/post/show?id=${String(choosePost(world))}`),
    'GET /post, 70 posts': () =>
      read(
        world,
        `/post?count=70&user_id=${String(Math.random() < celebrityShare ? heavy.author : skewed(world.callers).accountId)}`,
      ),
    'POST /likes/add': like,
  };
  return names.map((name) => {
    const build = special[name];
    if (build !== undefined) return { name, send: async (exchange) => void (await exchange(build())) };
    const target = targets.find((one) => one.name === name);
    if (target === undefined) throw new Error(`no call ${name}`);
    return { name, send: typeof target.requests === 'function' ? converse(target) : sendOneOf(target.requests) };
  });
}

function choosePost({ postIds }: World): number {
  return Math.random() < viralShare ? (postIds[0] ?? 0) : skewed(postIds);
}

/** The first are chosen most often: the tenth a tenth as often as the first. */
function skewed<Value>(values: readonly Value[]): Value {
  const value = values[Math.floor(values.length ** Math.random()) - 1];
  if (value === undefined) throw new Error('nothing to choose from');
  return value;
}

function read({ callers }: World, path: string): LoadRequest {
  const { accessToken } = skewed(callers);
  return {
    method: 'GET',
    path: `/api/v2.0${path}`,
    headers: { accept: 'application/json', authorization: `Bearer ${accessToken}` },
  };
}

/** Likes, and removes the likes again: the same counters change, however few people there are. */
function createLikes(world: World): () => LoadRequest {
  const liked = new Set<string>();
  return () => {
    const id = choosePost(world);
    const { accessToken } = skewed(world.callers);
    const pair = `${String(id)} ${accessToken}`;
    const isLiked = liked.delete(pair);
    if (!isLiked) liked.add(pair);
    return {
      method: 'POST',
      path: `/api/v2.0/likes/${isLiked ? 'delete' : 'add'}`,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${accessToken}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ item_id: id, type: 'post' }),
    };
  };
}

function sendOneOf(requests: readonly LoadRequest[]): SimulatedCall['send'] {
  return async (exchange) => void (await exchange(skewed(requests)));
}

/** Each conversation is one person's. One that has been opened is used again, one call at a time. */
function converse({ requests, requestsPerCall = 1 }: Target): SimulatedCall['send'] {
  if (typeof requests !== 'function') throw new TypeError('not a conversation');
  const idle: { readonly conversation: Conversation; last: Response | undefined }[] = [];
  let opened = 0;
  return async (exchange) => {
    const one = idle.shift() ?? { conversation: requests(opened++), last: undefined };
    for (let request = 0; request < requestsPerCall; request += 1) {
      const { value } = one.conversation.next(one.last ?? { headers: {}, body: '' });
      one.last = await exchange(value);
    }
    idle.push(one);
  };
}
