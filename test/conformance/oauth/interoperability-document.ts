import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { repositoryRoot } from '../../support/service.ts';
import { publishedDocuments } from '../../security/documents/published-documents.ts';
import type { PublishedDocument } from '../../security/documents/published-documents.ts';
import { generators } from '../generated/generators.ts';
import { flows } from './flow.ts';
import type { LibraryFlows } from './flow.ts';
import { npmClients } from './mcp/npm-clients.ts';
import { identifications, otherClients } from './mcp/other-clients.ts';
import { languages, versionOf } from './programs.ts';
import { rawClients } from './raw/raw-clients.ts';

/** docs/evidence/interoperability.md. @param libraries the JavaScript libraries, by package */
export function describeInteroperability(libraries: Readonly<Record<string, LibraryFlows>>): string {
  const ours = Object.entries(libraries).map(([name, supported]) => ({
    language: 'JavaScript',
    client: `\`${name}\` ${installedVersionOf(name)}`,
    supported: Object.keys(supported),
  }));
  const others = languages.flatMap((language) =>
    Object.entries(language.libraries).map(([name, supported]) => ({
      language: language.name,
      client: `\`${name}\` ${versionOf(language, name)}`,
      supported,
    })),
  );
  const rows = [...ours, ...others].map(({ language, client, supported }) => [
    language,
    client,
    ...flows.map((flow) => (supported.some((one) => one === flow) ? 'works' : '–')),
  ]);
  const titles = ['language', 'client', ...flows];
  const table = [titles, titles.map(() => '---'), ...rows];
  return `# Interoperability

Which client libraries work with Linnet. A library works as its own quickstart uses it, with its default settings: give it the issuer, the \`client_id\` and the
secret of your application. For applications in TypeScript and Python there are also [@linnet/sdk](../../packages/sdk/README.md) and [linnet-sdk](../../packages/sdk/python/README.md), and [the OAuth guide](../api/oauth.md) describes every request.

## Libraries

Each flow runs against the real service: sign-in and consent on the real pages, then a request to the API with the token. A sign-in must yield the person's name.
\`–\` means that the library has no such flow, or that it is not tested.

\`test/conformance/oauth/client-libraries.test.ts\` runs the JavaScript libraries and generates this page.
\`other-languages.test.ts\` runs the others in \`pnpm test:long\`, where their languages are installed.

${describeTable(table)}

${generated()}

${contextProtocol()}

${verification}

## Requests of other clients

The tests do not install these clients. They send what the clients send with their default settings, copied from their source
(\`test/conformance/oauth/raw\`): a person signs in and consents, and the name that the client would show is right.

${describeTable(rawTable())}
`;
}

const generated = () => `Three defaults surprise ([findings](../../findings/README.md)):

| library | set |
| --- | --- |
| \`golang.org/x/oauth2\` | \`AuthStyle\` of the endpoint, or each exchange that fails is sent twice |
| \`oauthlib\`, \`requests-oauthlib\` | the environment variable \`OAUTHLIB_RELAX_TOKEN_SCOPE=1\`, or a person who allows fewer scopes causes an exception |
| \`openapi-typescript\` | \`--default-non-nullable false\`, or optional members with a default must be sent |

## Generated clients

Each generator makes a client from \`/api/v2.0/docs/generators.json\`. The client is compiled, creates a post, lists the feed, and reads the problem of a 404.
\`test/conformance/generated/generated-clients.test.ts\` runs the first three every time, and all in \`pnpm test:long languages\`.

${describeTable(generatorTable())}

swagger-codegen 3.0.57 does not work in Python: its client refuses null in a required member. Kiota, NSwag and AutoRest need .NET and are not tested.`;

const contextProtocol = () => `## Model Context Protocol

Linnet is the authorization server of MCP servers: [a registered API](../api/oauth.md#protect-your-own-api), or [the service itself](../developers/agents.md) at
\`/mcp\`. These clients know only the URL of \`/mcp\`, each uses its own OAuth client, and the person signs in and consents on the real pages.
\`mcp-sdk.test.ts\` runs the first two, with APIs as well; \`mcp-clients.test.ts\` runs the others in \`pnpm test:long languages\`.

${describeTable(mcpTable())}

Where another scope works, a client begins with reading, and sends the person again when a tool needs more. The Go SDK registers itself again then, and the
Python SDK sends the person to sign in after each 401 ([findings](../../findings/README.md)). Others
ask for everything at first: \`/mcp\` names no scopes to older revisions. After the person disconnects a client, a server that introspects tokens refuses it at once;
one that only verifies signatures accepts its access token until that expires. \`test/conformance/mcp-suite.test.ts\` runs the official conformance suite, \`${mcpSuite}\`
${installedVersionOf(mcpSuite)}, in both revisions, for servers and authorization servers. All scenarios pass on the service, or on a fixture with the tools that they call, but those of
what Linnet does not offer, such as prompts; the test lists these. \`test/security/documents\` fetches metadata documents as real clients publish them:

${describeTable(documentTable())}`;

/** `examples/verify-tokens`, whose tests are in `verify-tokens.test.ts`. */
const verification = `## Verification of tokens

The programs of [verify-tokens](../../examples/README.md) accept an access token for their registered API, and refuse one for another API and a damaged one.

| language | library | run by |
| --- | --- | --- |
| JavaScript | \`jose\` | every run ([the guide](../api/oauth.md#protect-your-own-api)) |
| Java | \`spring-security-oauth2-jose\` 7.1.2 | \`pnpm test:long languages\` |
| Go | \`github.com/coreos/go-oidc/v3\` 3.21.0 | \`pnpm test:long languages\` |
| Python | \`pyjwt\` 2.15.1 | \`pnpm test:long languages\` |
| PHP | \`firebase/php-jwt\` 7 | \`pnpm test:long languages\`, where it is installed |
| C# | \`Microsoft.AspNetCore.Authentication.JwtBearer\` | no test |
| JavaScript in nginx | \`njs\` 0.7.9, by introspection | \`pnpm test:long languages\`, where it is installed |
| Lua in nginx | \`lua-resty-openidc\`, with RS256 | no test |`;

const mcpSdk = '@modelcontextprotocol/sdk';
const mcpClient = '@modelcontextprotocol/client';
const mcpSuite = '@modelcontextprotocol/conformance';

/** What each document tests, of the first line that fits. */
const documentKinds: readonly (readonly [string, (document: PublishedDocument) => boolean])[] = [
  ['scopes of AT Protocol, and tokens bound with DPoP', (document) => document.dpop_bound_access_tokens === true],
  ['keys at `jwks_uri`', (document) => document.jwks_uri !== undefined],
  [
    'a redirect URI with `https`, and a grant type that Linnet does not offer to it',
    ({ redirect_uris: uris }) => uris.some((uri) => uri.startsWith('https:')),
  ],
  ['redirect URIs on the device, where the client listens on any port', () => true],
];

function mcpTable(): readonly (readonly string[])[] {
  const titles = [
    'client',
    'identification',
    'discovery',
    'sign-in',
    'tool call',
    'refresh',
    'another scope',
    'revision',
  ];
  const ofTypeScript = identifications.slice(0, 2);
  const typescript = [
    { name: mcpSdk, tested: ofTypeScript, stepsUp: [], revision: '2025-11-25' },
    { name: mcpClient, tested: ofTypeScript, stepsUp: ofTypeScript, revision: '2026-07-28' },
  ].map((client) => ({ ...client, version: installedVersionOf(client.name) }));
  const others = [...otherClients, ...npmClients].map((client) => ({ ...client, tested: identifications }));
  const rows = [...typescript, ...others].map(({ name, version, tested, stepsUp, revision, ...rest }) => [
    `\`${name}\` ${version}${'option' in rest ? `, \`${rest.option}\`` : ''}`,
    tested.join(', '),
    ...['works', 'works', 'works', 'works'],
    stepsUp.length === tested.length ? 'works' : stepsUp.join(', ') || '–',
    revision,
  ]);
  return [titles, titles.map(() => '---'), ...rows];
}

function documentTable(): readonly (readonly string[])[] {
  const byKind = Map.groupBy(publishedDocuments, (document) => documentKinds.find(([, fits]) => fits(document))?.[0]);
  const rows = [...byKind].map(([kind = '', documents]) => [documents.map((one) => one.client_name).join(', '), kind]);
  return [['document of', 'it has'], ['---', '---'], ...rows];
}

const describeTable = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`).join('\n');

function generatorTable(): readonly (readonly string[])[] {
  const titles = ['generator', 'language', 'create, list, problem', 'what you set'];
  const rows = generators.map(({ name, version, language, settings }) => [
    ...[`\`${name}\` ${version}`, language, 'works', settings],
  ]);
  return [titles, titles.map(() => '---'), ...rows];
}

function rawTable(): readonly (readonly string[])[] {
  const titles = ['language', 'client', 'application', 'request', 'client authentication', 'name from', 'sign-in'];
  const rows = rawClients.map(({ language, name, application, authorization, hasPkce, isPushed, token, person }) => {
    const request = [
      ...(hasPkce ? ['PKCE'] : []),
      ...(isPushed === true ? ['PAR'] : []),
      ...(authorization['response_mode'] === undefined ? [] : [`\`${authorization['response_mode']}\``]),
      ...(authorization['nonce'] === undefined ? [] : ['nonce']),
    ].join(', ');
    return [language, `\`${name}\``, application, request || '–', token.authentication, person, 'works'];
  });
  return [titles, titles.map(() => '---'), ...rows];
}

function installedVersionOf(library: string): string {
  const { devDependencies }: { devDependencies: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(join(repositoryRoot, 'test/package.json'), 'utf8'),
  );
  return devDependencies[library] ?? '';
}
