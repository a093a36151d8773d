/** Builds the OpenAPI 3.1 document of the admin API from its rows: docs/api/admin-openapi.json. */
import { createDocument } from 'zod-openapi';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { z } from 'zod';

import { errorCatalogue } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';
import { correctSchema } from '../openapi/document-corrections.ts';
import { problemSchema } from '../openapi/problem-schema.ts';
import { idempotencyReplayed } from '../openapi/responses.ts';
import { idempotencyKey } from '../parameters.ts';
import { adminApiPath, methodOf } from './admin-route.ts';
import type { AdminRoute } from './admin-route.ts';
import { adminRoutes } from './admin-routes.ts';

const baseUrl = 'https://linnet.example';

/** The text of the document, of a service at an example address (RFC 2606). */
export function createAdminDocument(): string {
  const document = createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: 'Linnet admin API',
        version: '1',
        description,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: baseUrl + adminApiPath }],
      tags: tags.map((name) => ({ name, description: `Endpoints below \`/${name}\`.` })),
      paths: Object.fromEntries(adminRoutes.map((route) => [route.path, toPath(route)])),
      components: {
        schemas: { Problem: problemSchema },
        headers: { IdempotencyReplayed: idempotencyReplayed },
        parameters: { IdempotencyKey: idempotencyKey },
        securitySchemes: {
          oauth: {
            type: 'oauth2',
            description: 'Client credentials of an application that an operator has allowed.',
            flows: {
              clientCredentials: {
                tokenUrl: `${baseUrl}/oauth/token`,
                scopes: { 'admin:read': 'Read what the pages for operators show', 'admin:write': 'Act as an operator' },
              },
            },
          },
        },
      },
    },
    { override: correctSchema },
  );
  return `${JSON.stringify(document, null, 2)}\n`;
}

const description = `What operators do on the pages under \`/admin\`, for programs. A token acts for the owner of its
application, who must be an operator with a second factor: request it with client credentials and \`scope\`. Applications
get the scopes after \`linnet app allow-admin\`.

\`GET\` takes its parameters from the query, \`POST\` from a JSON body of at most 64 KB. Every act has a \`reason\`, which
the audit log keeps with the operator and the application, and can be repeated with its \`Idempotency-Key\`. Operators are never changed here. Errors are problems (RFC 9457).`;

const tags = [...new Set(adminRoutes.map(subjectOf))];

function subjectOf({ path }: AdminRoute): string {
  return path.split('/')[1] ?? '';
}

function toPath(route: AdminRoute): ZodOpenApiPathsObject[`/${string}`] {
  return { [methodOf(route).toLowerCase()]: toOperation(route) };
}

/** Errors that every endpoint may return. */
const shared: readonly ErrorCode[] = [
  ...(['invalid-parameter', 'token-required', 'invalid_token', 'insufficient_scope'] as const),
  ...(['user-context-required', 'operator-required', 'rate-limited', 'unavailable'] as const),
];
const ofWrites: readonly ErrorCode[] = [
  ...(['malformed-body', 'body-too-large', 'unsupported-media-type'] as const),
  ...(['idempotency-in-progress', 'idempotency-key-reused'] as const),
];

function toOperation(route: AdminRoute): ZodOpenApiOperationObject {
  const { id, summary, input, output, scope } = route;
  const writes = scope === 'admin:write';
  const errors = [...shared, ...(writes ? ofWrites : []), ...route.errors];
  const hasInput = input instanceof z.ZodObject && Object.keys(input.shape).length > 0;
  const headers = writes
    ? { headers: { 'Idempotency-Replayed': { $ref: '#/components/headers/IdempotencyReplayed' } } }
    : {};
  const key = { parameters: [{ $ref: '#/components/parameters/IdempotencyKey' as const }] };
  const given = writes ? { ...key, requestBody: { required: true, content: json(input) } } : {};
  return {
    operationId: id.replaceAll(/-(\w)/g, (_match, letter: string) => letter.toUpperCase()),
    summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    tags: [subjectOf(route)],
    security: [{ oauth: [scope] }],
    ...(!writes && hasInput ? { requestParams: { query: input } } : given),
    responses: { '200': { description: 'The result.', ...headers, content: json(output) }, ...problemsOf(errors) },
  };
}

function json(schema: z.ZodType) {
  return { 'application/json': { schema } };
}

function problemsOf(errors: readonly ErrorCode[]) {
  const statuses = [...new Set(errors.map((code) => errorCatalogue[code].status))].toSorted((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const codes = errors.filter((code) => errorCatalogue[code].status === status);
      const content = { 'application/problem+json': { schema: problemSchema } };
      return [String(status), { description: codes.map((code) => `\`${code}\``).join(', '), content }];
    }),
  );
}
