/** What agents see of the API: a tool for each row of the contract, and a resource for each row that only reads. */
import type { OpenApiDocument } from '@linnet/contract/openapi/document';
import type { Route } from '@linnet/contract/route';
import type { Resource, ResourceTemplate, Tool } from '@modelcontextprotocol/sdk/types.js';
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

/** What a tool needs of an operation of the OpenAPI document: those of the query have names, headers are references. */
const operationSchema = z.object({
  parameters: z
    .array(
      z.union([
        z.object({ name: z.string(), required: z.boolean().default(false), schema: z.record(z.string(), z.unknown()) }),
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
const repeatableVerbs = new Set(['add', 'delete', 'update', 'approve', 'reject', 'revoke', 'narrow', 'read']);

/**
 * The tools for the rows, with the parameters as the OpenAPI document describes them. Results have no schema: models would
 * read 8 KB of it for each tool, and every result names its members.
 */
export function createTools(routes: readonly Route[], document: OpenApiDocument): readonly Tool[] {
  return routes.map((route) => {
    const verb = route.id.split('-').at(-1) ?? '';
    return {
      name: toolNameOf(route),
      title: route.summary,
      description: describe(route),
      inputSchema: inputSchemaOf(route, document),
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

function describe({ summary, description, scope, requiresAccount }: Route): string {
  return [
    `${summary}.`,
    ...(description === undefined ? [] : [description]),
    scope === null ? 'Needs any access token.' : `Needs the scope \`${scope}\`.`,
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
  return { ...(name === undefined ? { properties: {} } : components?.schemas?.[name]), type: 'object' };
}

/** The rows that only read, as templates of their URLs (RFC 6570). */
export function createResourceTemplates(routes: readonly Route[], baseUrl: string): readonly ResourceTemplate[] {
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
