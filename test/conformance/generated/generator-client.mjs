// Uses the client that openapi-generator wrote in TypeScript (typescript-fetch): posts, reads the post back, and reads a problem.
const { BASE_URL, ACCESS_TOKEN, GENERATED } = process.env;
const { Configuration, PostsApi, ResponseError } = await import(`${String(GENERATED)}/index.js`);

const configuration = { basePath: `${String(BASE_URL)}/api/v2.0`, accessToken: ACCESS_TOKEN };
const posts = new PostsApi(new Configuration(configuration));
const created = await posts.postCreate({ postCreateBody: { message: 'From generated TypeScript' } });
const shown = await posts.postShow({ id: created.items.id });
console.log(shown.items.text, 'by', shown.items.user.username);
const refused = await posts.postShow({ id: 1 }).catch((error) => error);
if (!(refused instanceof ResponseError)) throw refused;
console.log(refused.response.status, (await refused.response.json()).code);
