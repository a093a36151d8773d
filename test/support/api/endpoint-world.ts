import type { EndpointWorld } from './endpoint-cases.ts';
import type { ImageServer } from './image-server.ts';
import { uploadImage } from './media-requests.ts';
import { registerPerson } from './people.ts';
import type { RunningApi } from './running-api.ts';

/**
 * Creates the records that one request to each endpoint needs (`endpoint-cases.ts`): of an account with the given username,
 * who has authorized the application of the tokens (`signer.ts`).
 */
export async function createEndpointWorld(
  api: RunningApi,
  images: ImageServer,
  username: string,
): Promise<EndpointWorld> {
  const account = await registerPerson(api, username);
  const friend = await registerPerson(api, `${username}_friend`);
  const post = await account.writes(`hello @${username}`);
  await api.db.prisma.followRequest.create({ data: { followerId: friend.id, followedId: account.id } });
  const clientId = 'client-0123456789';
  await api.db.prisma.application.create({ data: { ownerId: friend.id, clientId, name: 'App', type: 'public' } });
  const grant = { id: username, accountId: account.id, clientId, kind: 'consent' as const, scopes: ['users', 'posts'] };
  return {
    account: account.id,
    friend: friend.id,
    post,
    spare: {
      post: await account.writes('to be deleted'),
      quote: (await account.post('/post/create', { message: 'look', quote_id: post })).body.items.id,
      comment: await account.comments(post, 'to be deleted'),
      media: await uploadImage(api, account.id),
      draft: (await account.post('/drafts/create', { message: 'to be published' })).body.id,
      proposal: await proposePost(api, account.id),
      filter: (await account.post('/filters/add', { text: 'to be deleted' })).body.id,
    },
    grant: Number((await api.db.prisma.grant.create({ data: grant })).number),
    imageUrl: images.address('image.png'),
    unique: `${username}2`,
  };
}

/** The id of a proposal that waits. */
export async function proposePost(api: RunningApi, acct: number, message = 'to be rejected'): Promise<number> {
  const claims = { acct, scope: 'posts:propose' };
  const headers = { 'content-type': 'application/json' };
  const { body } = await api.call('POST /post/create', { claims, headers, body: JSON.stringify({ message }) });
  return Number(body.id);
}
