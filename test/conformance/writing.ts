import type { Actor, World } from './world.ts';

/** What the proofs write, each with a check that it was written. */

// oxlint-disable-next-line typescript/no-explicit-any -- proofs read into it freely
type Wire = any;

/** The post object as GET /post/create answers it. */
export async function createPost(actor: Actor, message = 'hello', media?: number): Promise<Wire> {
  const parameters = new URLSearchParams({ message, ...(media === undefined ? {} : { media: String(media) }) });
  const { status, body } = await actor.call(`GET /post/create?${parameters.toString()}`);
  if (status !== 200) throw new Error(`the post was refused: ${JSON.stringify(body)}`);
  return body.items;
}

/** The answer of GET /comment/create. */
export async function createComment(actor: Actor, postId: number, text = 'a comment'): Promise<Wire> {
  const parameters = new URLSearchParams({ item_id: String(postId), type: 'post', text });
  const { status, body } = await actor.call(`GET /comment/create?${parameters.toString()}`);
  if (status !== 200) throw new Error(`the comment was refused: ${JSON.stringify(body)}`);
  return body;
}

/** Uploads a PNG as Alice; its identifier. */
export async function upload({ alice, imageUrl }: World): Promise<number> {
  const { status, body } = await alice.call('POST /media/upload', { media: imageUrl('png') });
  if (status !== 200) throw new Error(`the upload was refused: ${JSON.stringify(body)}`);
  return body.finally.media_id;
}
