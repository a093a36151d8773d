import type { oas31 } from 'zod-openapi';

/** What holds for every call. */
export function introduce(shownName: string, baseUrl: string): oas31.InfoObject {
  return {
    title: `${shownName} API`,
    version: '2.0',
    description: `A microblog: accounts, posts, comments, likes, follows and media. Every call carries two headers:

- \`Authorization: Bearer <access token>\`: an application gets its token from \`${baseUrl}/oauth/token\` (client
  credentials), or with a person's consent by way of \`${baseUrl}/oauth/authorize\`. Applications are registered
  at [${baseUrl}/developer](${baseUrl}/developer).
- \`Accept\`: must admit \`application/json\`; without it the answer is 406.

\`GET\` takes its parameters from the query, \`POST\` from a JSON, form or multipart body of at most 64 KB, file parts aside. A
parameter that is given twice is refused. Ids are integers up to 2^53−1 and may be sent as strings of digits.

A success is 200 with JSON. Everything else is a problem (RFC 9457): \`code\` is stable, \`title\` is in the language
that \`Accept-Language\` asks for (English, German, French or Spanish). Version 2.0 only grows: objects may get more members.`,
    license: { name: 'MIT', identifier: 'MIT' },
  };
}
