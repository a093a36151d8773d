import type { Actor, World } from './world.ts';

/** Writes of the proofs; each checks that it succeeded. */

// oxlint-disable-next-line typescript/no-explicit-any -- proofs read into it freely
type ViewContext = any;

/** The post object in the response of GET /post/create. */
export async function createPost(actor: Actor, message = 'hello', media?: number): Promise<ViewContext> {
  const parameters = new URLSearchParams({ message, ...(media === undefined ? {} : { media: String(media) }) });
  const { status, body } = await actor.call(`GET /post/create?${parameters.toString()}`);
  if (status !== 200) throw new Error(`the post was rejected: ${JSON.stringify(body)}`);
  return body.items;
}

/** The response of GET /comment/create. */
export async function createComment(actor: Actor, postId: number, text = 'a comment'): Promise<ViewContext> {
  const parameters = new URLSearchParams({ item_id: String(postId), type: 'post', text });
  const { status, body } = await actor.call(`GET /comment/create?${parameters.toString()}`);
  if (status !== 200) throw new Error(`the comment was rejected: ${JSON.stringify(body)}`);
  return body;
}

/** Uploads a PNG as Alice and returns its id. */
export async function upload({ alice, imageUrl }: World): Promise<number> {
  const { status, body } = await alice.call('POST /media/upload', { media: imageUrl('png') });
  if (status !== 200) throw new Error(`the upload was rejected: ${JSON.stringify(body)}`);
  return body.finally.media_id;
}
