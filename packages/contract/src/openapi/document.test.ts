import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';
import { z } from 'zod';

import { createAdminDocument } from '../admin/admin-document.ts';
import { errorCatalogue } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';
import { defineRoute } from '../route.ts';
import type { Route } from '../route.ts';
import { routesByName } from '../routes.ts';
import { createOpenApiDocument, createPublishedDocument } from './document.ts';

/** The parsed JSON. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests access arbitrary members
const document: any = JSON.parse(createPublishedDocument());
const calls = Object.values(routesByName).flatMap((route) =>
  route.methods.map((method) => [`${method} ${route.path}`, route, method] as const),
);

// oxlint-disable-next-line typescript/no-explicit-any -- tests access arbitrary members
function resolve(one: any): any {
  if (typeof one.$ref !== 'string') return one;
  return one.$ref
    .split('/')
    .slice(1)
    .reduce((part: Record<string, unknown>, name: string) => part[name], document);
}

const operationOf = (route: Route, method: string) => document.paths[route.path][method.toLowerCase()];

interface Listing {
  readonly parameters: Readonly<Record<string, { readonly description?: string } | undefined>>;
  readonly requiredNames: readonly string[];
}

interface Operation {
  readonly parameters?: readonly object[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
}

function contentOf({ requestBody }: Operation): Readonly<Record<string, { readonly schema: object }>> {
  return requestBody?.content ?? {};
}

/** The lists of parameters: one for the query, or one for each content type of the body. */
function listingsOf(operation: Operation): readonly Listing[] {
  const query = (operation.parameters ?? []).map(resolve).filter((one) => one.in === 'query');
  const inQuery = {
    parameters: Object.fromEntries(query.map((one) => [one.name, one])),
    requiredNames: query.filter((one) => one.required === true).map((one) => one.name),
  };
  const inBodies = Object.values(contentOf(operation)).map(({ schema }) => {
    const { properties, required = [] } = resolve(schema);
    return { parameters: properties, requiredNames: required };
  });
  return query.length > 0 ? [inQuery, ...inBodies] : inBodies;
}

test.each([
  ['openapi.json', createPublishedDocument],
  ['admin-openapi.json', createAdminDocument],
])('docs/api/%s is up to date (run `pnpm openapi`)', (name, create) => {
  const published = readFileSync(new URL(`../../../../docs/api/${name}`, import.meta.url), 'utf8');
  expect(published === create()).toBe(true);
});

test('names the service and its URL', () => {
  const served = createOpenApiDocument({ baseUrl: 'http://localhost:3210', shownName: 'Little Finch' });
  expect([served.openapi, served.info.title]).toEqual([expect.stringMatching(/^3\.1\.\d$/), 'Little Finch API']);
  expect(served.servers).toEqual([{ url: 'http://localhost:3210/api/v2.0' }]);
  expect(served.components?.securitySchemes?.['oauth']).toMatchObject({
    flows: {
      clientCredentials: { tokenUrl: 'http://localhost:3210/oauth/token' },
      authorizationCode: { authorizationUrl: 'http://localhost:3210/oauth/authorize' },
    },
  });
});

describe.each(calls)('%s', (_name, route, method) => {
  const operation = operationOf(route, method);
  const input = z.instanceof(z.ZodObject).parse(route.input);

  test('Details 12 has a subject, a short title and its scope', () => {
    expect(document.tags.map(({ name }: { name: string }) => name)).toContain(operation.tags[0]);
    expect(operation.summary).toMatch(/^[A-Z][\w -]{2,39}$/);
    const scopes = route.scope === null ? [] : [route.scope];
    expect(operation.security).toEqual([{ bearer: [] }, { oauth: scopes }]);
    expect(operation.description).toContain(`Specification: ${route.specification}.`);
    expect(operation.description.includes('Prefer `POST`')).toBe(method === 'GET' && route.writes);
    expect(operation.deprecated).toBeUndefined();
  });

  test('has its parameters, each with a description', () => {
    const names = Object.keys(input.shape).toSorted();
    const required = names.filter((name) => !z.safeParse(input.shape[name], undefined).success);
    const listings = listingsOf(operation);
    expect(listings).toHaveLength(names.length === 0 ? 0 : Math.max(1, Object.keys(contentOf(operation)).length));
    for (const { parameters, requiredNames } of listings) {
      expect(Object.keys(parameters).toSorted()).toEqual(names);
      expect(requiredNames.toSorted()).toEqual(required);
      for (const name of names) expect([name, parameters[name]?.description]).toEqual([name, expect.any(String)]);
    }
  });

  test('has the response of its row, and every error under its status', () => {
    expect(resolve(operation.responses['200']).content['application/json'].schema).toBeDefined();
    expect(Object.hasOwn(operation.responses, '304')).toBe(method === 'GET' && route.hasVersion === true);
    const stated = Object.entries(operation.responses)
      .filter(([status]) => Number(status) >= 400)
      .flatMap(([status, response]) => {
        const [, { properties }] = resolve(response).content['application/problem+json'].schema.allOf;
        expect(properties.status.enum).toEqual([Number(status)]);
        return properties.code.enum.map((code: ErrorCode) => [code, errorCatalogue[code].status === Number(status)]);
      });
    const always: ErrorCode[] = ['invalid-parameter', 'token-required', 'invalid_token', 'accept-required'];
    const expected = [
      ...always,
      ...route.errors,
      ...(route.scope === null ? [] : ['insufficient_scope']),
      ...(route.requiresAccount ? ['user-context-required'] : []),
      ...(method === 'POST' ? ['body-too-large', 'unsupported-media-type', 'malformed-body'] : []),
    ];
    expect(stated).toEqual(expect.arrayContaining(expected.map((code) => [code, true])));
    expect(stated.filter(([, isUnderItsStatus]) => isUnderItsStatus !== true)).toEqual([]);
  });

  test('has examples of requests and responses, and none for an optional parameter', () => {
    const examples = Object.values(resolve(operation.responses['200']).content['application/json'].examples);
    expect(examples.length).toBeGreaterThan(0);
    for (const parameter of (operation.parameters ?? []).map(resolve)) {
      const isFilled = parameter.example !== undefined || parameter.schema.examples !== undefined;
      expect([parameter.name, isFilled]).toEqual([parameter.name, parameter.required === true]);
    }
    for (const type of Object.keys(contentOf(operation))) {
      const { schema, examples: sent } = operation.requestBody.content[type];
      expect([type, sent === undefined]).toEqual([type, type === 'multipart/form-data']);
      const { properties, required = [] } = resolve(schema);
      const filled = Object.keys(properties).filter((name) => properties[name].examples !== undefined);
      expect(required).toEqual(expect.arrayContaining(filled));
    }
  });

  test('has an Idempotency-Key if it writes', () => {
    const names = (operation.parameters ?? []).map((one: object) => resolve(one).name);
    expect(names.includes('Idempotency-Key')).toBe(route.writes);
  });
});

test('schemas have the forms that code generators read, and integers have 64 bits', () => {
  // Only a call that can be proposed has two responses; the document for generators leaves out the second.
  const text = JSON.stringify(document, (_name, value: unknown) => {
    const { anyOf: [own, other] = [] } = Object(value) as { readonly anyOf?: readonly { readonly $ref?: string }[] };
    return other?.$ref === '#/components/schemas/Proposal' ? own : value;
  });
  for (const keyword of ['anyOf', 'oneOf', 'const', 'prefixItems']) expect(text).not.toContain(`"${keyword}":`);
  for (const [types] of text.matchAll(/"type":\[[^\]]*\]/g)) expect(types).toBe('"type":["string","null"]');
  expect(text).not.toMatch(/"type":"integer"(?:(?!"format"|"enum")[^{}])*\}/);
  // Java cannot compile what openapi-generator makes of it.
  expect(/"type":"number"[^{}]*"enum"/.exec(text)?.[0]).toBeUndefined();
});

test('every link leads to an operation and its parameters', () => {
  const operations = calls.map(([, route, method]) => operationOf(route, method));
  for (const { responses } of operations) {
    for (const name of Object.keys(responses['200'].links ?? {})) {
      const { operationId, parameters } = responses['200'].links[name];
      const target = operations.find((one) => one.operationId === operationId);
      const [listing] = listingsOf(target);
      expect(target.requestBody).toBeUndefined();
      expect(Object.keys(listing?.parameters ?? {})).toEqual(expect.arrayContaining(Object.keys(parameters)));
    }
  }
});

test('every code of every problem has an example with this code and status', () => {
  for (const name of Object.keys(document.components.responses)) {
    const { schema, examples } = document.components.responses[name].content['application/problem+json'];
    const [, { properties }] = schema.allOf;
    for (const code of properties.code.enum) {
      expect(examples[code].value).toMatchObject({ code, status: properties.status.enum[0] });
    }
    expect(Object.keys(examples).toSorted()).toEqual(properties.code.enum.toSorted());
  }
});

test('operation ids are unique', () => {
  const names = calls.map(([, route, method]) => operationOf(route, method).operationId);
  expect(new Set(names).size).toBe(names.length);
});

test('objects are named components, and none is closed: version 2.0 grows', () => {
  expect(Object.keys(document.components.schemas)).toEqual(
    expect.arrayContaining(['Account', 'Post', 'Comment', 'ShownAccount', 'Problem']),
  );
  expect(JSON.stringify(document)).not.toContain('"additionalProperties":false');
});

test('a parameter is a file in multipart bodies only', () => {
  class Upload {
    readonly path = '/tmp/upload';
  }
  const file = z.instanceof(Upload).meta({ type: 'string', format: 'binary' });
  const upload = defineRoute({
    id: 'upload',
    methods: ['POST'],
    path: '/media/other',
    scope: null,
    requiresAccount: false,
    writes: true,
    input: z.object({ media: z.union([z.string(), file]).meta({ description: 'URL or file.' }) }),
    output: z.object({}),
    errors: [],
    summary: 'Uploads',
    specification: 'Media',
  });
  const { components } = createOpenApiDocument({
    baseUrl: 'https://linnet.example',
    shownName: 'Linnet',
    routes: [upload],
  });
  expect(components?.schemas?.['UploadBody']).toMatchObject({
    properties: { media: { type: 'string', description: 'URL or file.' } },
  });
  expect(JSON.stringify(components?.schemas?.['UploadBody'])).not.toContain('binary');
  expect(JSON.stringify(components?.schemas?.['UploadMultipart'])).toContain('"format":"binary"');
});
