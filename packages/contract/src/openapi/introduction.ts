import type { oas31 } from 'zod-openapi';

/** The part of the document that applies to every operation. */
export function introduce(shownName: string, baseUrl: string): oas31.InfoObject {
  return {
    title: `${shownName} API`,
    version: '2.0',
    description: `A microblog: accounts, posts, comments, likes, follows and media. Every request needs two headers:

- \`Authorization: Bearer <access token>\`. Get a token from \`${baseUrl}/oauth/token\` with client credentials, or
  with a person's consent through \`${baseUrl}/oauth/authorize\`. Register your application at
  [${baseUrl}/developer](${baseUrl}/developer).
- \`Accept: application/json\`. If it excludes JSON, the response is 406.

\`GET\` takes its parameters from the query. \`POST\` takes them from a JSON, form or multipart body of at most 64 KB,
not counting files. A request that repeats a parameter is rejected. An empty optional parameter counts as absent. Ids are
integers up to 2^53−1; you may send them as strings of digits.

A successful response is 200 with JSON. Every other response is a problem (RFC 9457): \`code\` is stable, \`title\` is in
the language that \`Accept-Language\` prefers (English, German, French or Spanish). Within version 2.0, objects may gain
members.`,
    license: { name: 'MIT', identifier: 'MIT' },
  };
}
