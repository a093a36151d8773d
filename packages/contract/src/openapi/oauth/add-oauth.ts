/** Puts the OAuth endpoints beside the API. Their paths have a server of their own: they are not below /api/v2.0. */
import type { oas31 } from 'zod-openapi';

import { nameOfExample } from '../examples.ts';
import { recordedAt } from '../recorded-calls.ts';
import type { RecordedCall, RecordedExamples } from '../recorded-calls.ts';
import recordedOAuth from '../recorded-oauth.json' with { type: 'json' };
import { oauthOperations } from './oauth-operations.ts';
import type { OAuthOperation } from './oauth-operations.ts';
import { oauthSchemas, requiredOf } from './oauth-schemas.ts';

const oauthTag = 'OAuth';
const errorSchema = { $ref: '#/components/schemas/OAuthError' };

/** Adds tag, operations, schemas and the security scheme `clientSecret`. */
export function addOAuth(document: oas31.OpenAPIObject, baseUrl: string): void {
  const text = JSON.stringify(recordedOAuth).replaceAll(recordedAt, baseUrl);
  const { calls, problems } = JSON.parse(text) as RecordedExamples; // the same members
  document.tags?.push({ name: oauthTag, description: 'Sign people in, and request, inspect and revoke tokens.' });
  for (const row of oauthOperations) {
    document.paths = {
      ...document.paths,
      [row.path]: {
        ...document.paths?.[row.path],
        servers: [{ url: baseUrl }],
        [row.method]: operationOf(row, calls[row.id] ?? [], problems),
      },
    };
  }
  Object.assign(document.components ?? {}, {
    schemas: { ...document.components?.schemas, ...oauthSchemas },
    securitySchemes: { ...document.components?.securitySchemes, clientSecret: clientScheme },
  });
}

const clientScheme: oas31.SecuritySchemeObject = {
  type: 'http',
  scheme: 'basic',
  description: 'Client ID and client secret, each form-encoded (RFC 6749 §2.3.1).',
};

/** A public application has no secret. */
const security = { client: [{ clientSecret: [] }, {}], bearer: [{ bearer: [] }], none: [] };

function operationOf(
  row: OAuthOperation,
  calls: readonly RecordedCall[],
  problems: Readonly<Record<string, unknown>>,
): oas31.OperationObject {
  return {
    operationId: row.id,
    summary: row.title,
    description: row.description,
    tags: [oauthTag],
    security: security[row.identity],
    ...inputOf(row, calls),
    responses: { [String(row.status)]: successOf(row, calls), ...errorsOf(row, problems), ...othersOf(row) },
  };
}

function inputOf(row: OAuthOperation, calls: readonly RecordedCall[]): Partial<oas31.OperationObject> {
  const given = Object.entries(row.parameters ?? {}).map(([marked, description]) => {
    const name = marked.replace('*', '');
    return { name, description, isRequired: marked !== name };
  });
  // In JSON, null is like an absent member (RFC 7592 §2.2).
  const nullable = (isRequired: boolean) => row.takesJson === true && !isRequired;
  if (given.length === 0) return {};
  if (row.method === 'get') {
    const parameters = given.map(({ name, description, isRequired }) => ({
      name,
      in: 'query' as const,
      description,
      ...(isRequired ? { required: true, example: calls[0]?.request[name] } : {}),
      schema: schemaOf(name),
    }));
    return { parameters };
  }
  const schema: oas31.SchemaObject = {
    type: 'object',
    properties: Object.fromEntries(
      given.map(({ name, description, isRequired }) => [
        name,
        { ...schemaOf(name, nullable(isRequired)), description },
      ]),
    ),
    ...requiredOf(given.filter(({ isRequired }) => isRequired).map(({ name }) => name)),
  };
  const type = row.takesJson === true ? 'application/json' : 'application/x-www-form-urlencoded';
  return {
    requestBody: { required: true, content: { [type]: { schema, examples: examplesOf(calls, 'request') } } },
  };
}

function schemaOf(name: string, isNullable = false): oas31.SchemaObject {
  if (name.endsWith('uris')) return { type: 'array', items: { type: 'string' } };
  return { type: isNullable ? ['string', 'null'] : 'string' };
}

function successOf(
  { returns, returnsType = 'application/json' }: OAuthOperation,
  calls: readonly RecordedCall[],
): oas31.ResponseObject {
  if (returns === undefined) {
    const location = {
      description: 'The next page, and at last the redirect URI.',
      schema: { type: 'string' as const },
    };
    return { description: 'Redirect', headers: { Location: location } };
  }
  const schema = { $ref: `#/components/schemas/${returns}` };
  return {
    description: 'Success',
    content: { [returnsType]: { schema, examples: examplesOf(calls, 'response') } },
  };
}

function examplesOf(calls: readonly RecordedCall[], of: 'request' | 'response'): Record<string, oas31.ExampleObject> {
  return Object.fromEntries(calls.map((call) => [nameOfExample(call.title), { summary: call.title, value: call[of] }]));
}

function othersOf({ others = {}, errors = [] }: OAuthOperation): oas31.ResponsesObject {
  const error = { description: 'Error', content: { 'application/json': { schema: errorSchema } } };
  const described = Object.entries(others).map(([status, description]) => [status, { description }] as const);
  return Object.fromEntries([...errors.map((status) => [String(status), error] as const), ...described]);
}

/** Recorded errors are named by operation, status and code: `oauthToken 400 invalid_grant`. */
function errorsOf({ id }: OAuthOperation, problems: Readonly<Record<string, unknown>>): oas31.ResponsesObject {
  const own = Object.entries(problems).map(([name, value]) => [name.split(' '), value] as const);
  const mine = own.filter(([[operation]]) => operation === id);
  const statuses = [...new Set(mine.map(([[, status = '']]) => status))].toSorted();
  const errors = statuses.map((status) => {
    const those = mine.filter(([[, other]]) => other === status);
    const examples = Object.fromEntries(those.map(([[, , code = ''], value]) => [code, { summary: code, value }]));
    const content = { 'application/json': { schema: errorSchema, examples } };
    return [status, { description: 'Error', content }] as const;
  });
  return Object.fromEntries(errors);
}
