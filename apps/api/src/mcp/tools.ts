/** What agents see of the API: a tool for each row of the contract, and a resource for each row that only reads. */
import type { OpenApiDocument } from '@linnet/contract/openapi/document';
import type { Route } from '@linnet/contract/route';
import type { JSONObject, JSONValue, Resource, ResourceTemplateType, Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';

import { apiPath } from '../http/router.ts';

/** `post_create` for `post-create`: letters and underscores, which every client and model accepts. */
export function toolNameOf({ id }: Pick<Route, 'id'>): string {
  return id.replaceAll('-', '_');
}

/** Whether agents may call a row. A person's password is for the service's own pages, never for an agent. */
export function isTool({ input }: Pick<Route, 'input'>): boolean {
  return !namesOf(input).includes('password');
}

const jsonType = 'application/json';
const jsonObject = z.record(z.string(), z.json());

/** What a tool needs of an operation of the OpenAPI document: those of the query have names, headers are references. */
const operationSchema = z.object({
  parameters: z
    .array(
      z.union([
        z.object({ name: z.string(), required: z.boolean().default(false), schema: jsonObject }),
        z.object({ $ref: z.string() }),
      ]),
    )
    .default([]),
  requestBody: z
    .object({ content: z.object({ [jsonType]: z.object({ schema: z.object({ $ref: z.string() }) }) }) })
    .optional(),
});

/** Verbs of rows whose effect can be undone by another call, or that only add. All others may destroy something. */
const harmlessVerbs = new Set(['create', 'add', 'upload', 'approve', 'read']);
/** Repeating these changes nothing more. */
const repeatableVerbs = new Set([
  'add',
  'delete',
  'update',
  'approve',
  'reject',
  'revoke',
  'narrow',
  'publish',
  'read',
]);

/** The tools for the rows, with parameters and results as the OpenAPI document describes them. */
export function createTools(routes: readonly Route[], document: OpenApiDocument): readonly Tool[] {
  return routes.map((route) => {
    const verb = route.id.split('-').at(-1) ?? '';
    return {
      name: toolNameOf(route),
      title: route.summary,
      description: describe(route),
      inputSchema: inputSchemaOf(route, document),
      outputSchema: outputSchemaOf(route, document),
      annotations: {
        title: route.summary,
        readOnlyHint: !route.writes,
        ...(route.writes
          ? { destructiveHint: !harmlessVerbs.has(verb), idempotentHint: repeatableVerbs.has(verb) }
          : {}),
        openWorldHint: false,
      },
    };
  });
}

function describe({ summary, description, scope, isProposable, requiresAccount }: Route): string {
  return [
    `${summary}.`,
    ...(description === undefined ? [] : [description]),
    scope === null ? 'Needs any access token.' : `Needs the scope \`${scope}\`.`,
    ...(isProposable === true ? ['With `posts:propose` instead, the person decides whether it happens.'] : []),
    ...(requiresAccount ? ['Needs a token that acts for an account.'] : []),
  ].join(' ');
}

function inputSchemaOf({ id, path, methods }: Route, { paths, components }: OpenApiDocument): Tool['inputSchema'] {
  const [method] = methods;
  const operation = paths?.[path]?.[method === 'GET' ? 'get' : 'post'];
  if (operation === undefined) throw new TypeError(`${id}: not in the OpenAPI document`);
  const { parameters, requestBody } = operationSchema.parse(operation);
  if (method === 'GET') {
    const named = parameters.filter((parameter) => 'name' in parameter);
    return {
      type: 'object',
      properties: Object.fromEntries(named.map(({ name, schema }) => [name, schema])),
      required: named.filter(({ required }) => required).map(({ name }) => name),
    };
  }
  const name = requestBody?.content[jsonType].schema.$ref.split('/').at(-1);
  const body = name === undefined ? { properties: {} } : components?.schemas?.[name];
  return { ...(body as JSONObject), type: 'object' }; // the document is JSON
}

const answerSchema = z.object({
  responses: z.object({
    200: z.object({ content: z.object({ [jsonType]: z.object({ schema: jsonObject }) }) }),
  }),
});

/** What checks a value. The rest would make a list of tools three times as long. */
const checkingKeywords = new Set(
  'type properties required items additionalProperties anyOf oneOf allOf enum const minItems maxItems'.split(' '),
);

/** Of a result that is no problem. */
function outputSchemaOf({ path, methods }: Route, { paths, components }: OpenApiDocument): Tool['outputSchema'] {
  const { responses } = answerSchema.parse(paths?.[path]?.[methods[0] === 'GET' ? 'get' : 'post']);
  const $defs: Record<string, JSONValue> = {};
  const reduce = (schema: JSONValue): JSONValue => {
    if (Array.isArray(schema)) return schema.map(reduce);
    if (typeof schema !== 'object' || schema === null) return schema;
    const { $ref: reference } = schema;
    if (typeof reference === 'string') return { $ref: `#/$defs/${define(reference)}` };
    const kept = Object.entries(schema).filter(([keyword]) => checkingKeywords.has(keyword));
    // The names of properties are no keywords.
    return Object.fromEntries(
      kept.map(([keyword, value]) => [keyword, keyword === 'properties' ? reduceEach(value) : reduce(value)]),
    );
  };
  const reduceEach = (properties: JSONValue) =>
    Object.fromEntries(
      Object.entries(jsonObject.parse(properties)).map(([name, schema]): [string, JSONValue] => [name, reduce(schema)]),
    );
  const define = (address: string): string => {
    const name = address.split('/').at(-1) ?? '';
    if (!(name in $defs)) {
      $defs[name] = {};
      $defs[name] = reduce(components?.schemas?.[name] as JSONValue); // the document is JSON
    }
    return name;
  };
  const root = reduce(responses[200].content[jsonType].schema) as JSONObject; // of an object
  return { type: 'object', ...root, ...(Object.keys($defs).length === 0 ? {} : { $defs }) };
}

/** The rows that only read, as templates of their URLs (RFC 6570). */
export function createResourceTemplates(routes: readonly Route[], baseUrl: string): readonly ResourceTemplateType[] {
  return routes.filter(isReading).map((route) => {
    const names = namesOf(route.input);
    return {
      name: toolNameOf(route),
      title: route.summary,
      description: describe(route),
      uriTemplate: urlOf(route, baseUrl) + (names.length === 0 ? '' : `{?${names.join(',')}}`),
      mimeType: jsonType,
    };
  });
}

/** Those that need no parameter, such as the feed. */
export function createResources(routes: readonly Route[], baseUrl: string): readonly Resource[] {
  const plain = routes.filter((route) => isReading(route) && route.input.safeParse({}).success);
  return plain.map((route) => ({
    name: toolNameOf(route),
    title: route.summary,
    description: describe(route),
    uri: urlOf(route, baseUrl),
    mimeType: jsonType,
  }));
}

/** The URI of a resource: the address of its row, and the parameters as a query. */
export function splitUri(uri: string): { readonly address: string; readonly query: string } {
  const end = uri.indexOf('?');
  return end === -1 ? { address: uri, query: '' } : { address: uri.slice(0, end), query: uri.slice(end + 1) };
}

export function isResourceAt(route: Route, address: string, baseUrl: string): boolean {
  return isReading(route) && urlOf(route, baseUrl) === address;
}

function isReading({ writes, methods }: Route): boolean {
  return !writes && methods.includes('GET');
}

function namesOf(input: Route['input']): readonly string[] {
  return input instanceof z.ZodObject ? Object.keys(input.shape) : [];
}

function urlOf({ path }: Route, baseUrl: string): string {
  return baseUrl + apiPath + path;
}
