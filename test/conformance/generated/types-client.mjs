// Uses openapi-fetch with the types that openapi-typescript wrote: posts, reads the post back, and reads a problem.
import createClient from 'openapi-fetch';

const { BASE_URL, ACCESS_TOKEN } = process.env;
/** @type {import('openapi-fetch').Client<import('./linnet.d.ts').paths>} */
const client = createClient({
  baseUrl: `${String(BASE_URL)}/api/v2.0`,
  headers: { authorization: `Bearer ${String(ACCESS_TOKEN)}` },
});

const created = await client.POST('/post/create', { body: { message: 'From generated TypeScript' } });
if (created.data === undefined) throw new Error(created.error.code);
const shown = await client.GET('/post/show', { params: { query: { id: created.data.items.id } } });
if (shown.data === undefined) throw new Error(shown.error?.code);
console.log(shown.data.items.text, 'by', shown.data.items.user.username);
const refused = await client.GET('/post/show', { params: { query: { id: 1 } } });
console.log(refused.response.status, refused.error?.code);
