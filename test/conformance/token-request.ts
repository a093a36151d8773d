import type { World } from './world.ts';

/** POST /oauth/token as Alice's application; the caller reads the response. */
export async function postToken(
  { baseUrl, alice }: Pick<World, 'baseUrl' | 'alice'>,
  body: BodyInit,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const { id, secret } = alice.client;
  const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
  return await fetch(`${baseUrl}/oauth/token`, {
    method: 'POST',
    headers: { authorization, accept: 'application/json', ...headers },
    body,
  });
}
