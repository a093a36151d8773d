/** What the generators know of every call: how it is sent, and the schemas of its parameters and its response. */
import { callNameOf } from '@linnet/contract/call-name';
import { createOpenApiDocument } from '@linnet/contract/openapi/document';
import type { Route } from '@linnet/contract/route';

import type { Schema } from './schema.ts';

interface Operation {
  readonly parameters?: readonly (Schema & {
    readonly in?: string;
    readonly name: string;
    readonly required?: boolean;
    readonly schema: Schema;
  })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: {
    readonly 200: { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
  };
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** What the methods show of a row. */
export interface CallRow extends Pick<Route, 'id' | 'path' | 'errors' | 'summary' | 'description'> {
  /** Null: any valid token is enough. */
  readonly scope: string | null;
  readonly method: 'GET' | 'POST';
  readonly requiresAccount: boolean;
  readonly writes: boolean;
}

/** One method of an SDK. */
export interface Call {
  readonly route: CallRow;
  readonly noun: string;
  readonly verb: string;
  readonly parameters: Schema;
  readonly fixed: Readonly<Record<string, string>>;
  /** The required parameters that can also be given in order, without their names: `comments.create(post, text)`. */
  readonly short: readonly string[];
  readonly response: Schema;
  /** The member of the body that is the response, if the body only wraps it: a post is in `items`. */
  readonly wrapper: string | undefined;
  /** The response, if it is a page of a list. */
  readonly page: Schema | undefined;
}

/** The published JSON: tests check every response against it. */
export function readDocument(routes: readonly Route[]): Document {
  const text = JSON.stringify(
    createOpenApiDocument({ baseUrl: 'https://linnet.example', shownName: 'Linnet', routes }),
  );
  return JSON.parse(text) as Document; // the contract is checked by its own tests
}

export function rowsOf(routes: readonly Route[]): readonly CallRow[] {
  return routes.map(({ methods, ...route }) => ({
    ...route,
    // A URL ends up in logs and histories; a body does not.
    method: methods.includes('POST') ? 'POST' : 'GET',
  }));
}

/** The calls of `routes`, sorted by their names. */
export function callsOf(document: Document, routes: readonly CallRow[]): readonly Call[] {
  return routes.map((route) => toCall(document, route)).toSorted(byName);
}

function byName(a: Call, b: Call): number {
  return `${a.noun}.${a.verb}` < `${b.noun}.${b.verb}` ? -1 : 1;
}

/** The objects of the API, without the bodies of requests. */
export function objectsOf({ components }: Document): readonly (readonly [name: string, schema: Schema])[] {
  return Object.entries(components.schemas).filter(([name]) => !/(Body|Multipart)$/.test(name));
}

/** The name of a type that belongs to a call, such as `PostsCreateResponse`. */
export function typeName({ noun, verb }: Pick<Call, 'noun' | 'verb'>, kind: string): string {
  return `${capitalize(noun)}${capitalize(verb)}${kind}`;
}

export function capitalize(word: string): string {
  return word.replace(/^./, (letter) => letter.toUpperCase());
}

function toCall(document: Document, route: CallRow): Call {
  const [noun, verb] = callNameOf(route);
  const operation = document.paths[route.path]?.[route.method.toLowerCase()];
  if (operation === undefined) throw new TypeError(`${route.id} is missing in the document`);
  const all = inputOf(document, operation);
  const properties = Object.entries(all.properties ?? {});
  const fixed = properties.filter(([, property]) => onlyValueOf(property) !== undefined);
  const free = properties.filter(([, property]) => onlyValueOf(property) === undefined);
  const body = withoutProposal(operation.responses[200].content['application/json'].schema);
  const [wrapper, response = body] = wrappedIn(body) ?? [];
  const resolved = resolve(document, response);
  const parameters = { ...all, properties: Object.fromEntries(free.map(([name, one]) => [name, withTextIds(one)])) };
  return {
    route,
    noun,
    verb,
    parameters,
    short: shortFormOf(parameters),
    fixed: Object.fromEntries(fixed.map(([name, property]) => [name, onlyValueOf(property) ?? ''])),
    response,
    wrapper,
    page: resolved.properties?.['next'] === undefined ? undefined : resolved,
  };
}

/** The response of the call itself: only a token with `posts:propose` gets the other one. */
function withoutProposal(schema: Schema): Schema {
  const [own, other] = schema.anyOf ?? [];
  return own !== undefined && other?.$ref?.endsWith('/Proposal') === true ? own : schema;
}

/** The only member of a body besides the word that the call succeeded. A count is no wrapper: its name says what it is. */
function wrappedIn({ properties = {} }: Schema): readonly [name: string, schema: Schema] | undefined {
  const [member, ...others] = Object.entries(properties).filter(
    ([name, schema]) => name !== 'message' && onlyValueOf(schema) !== 'succeeded',
  );
  if (member === undefined || others.length > 0) return undefined;
  const [name, { $ref, type }] = member;
  return name === 'response' || $ref !== undefined || type === 'object' ? member : undefined;
}

/** Up to two, because nobody knows the order of more. */
function shortFormOf({ properties = {}, required = [] }: Schema): readonly string[] {
  const names = Object.keys(properties).filter((name) => required.includes(name));
  const isPlain = names.every((name) => !takesObjects(properties[name] ?? {}));
  return isPlain && names.length <= 2 ? names : [];
}

function takesObjects({ type, format, anyOf = [] }: Schema): boolean {
  return type === 'array' || format === 'binary' || anyOf.some(takesObjects);
}

/** Ids are the integers up to 2^53−1. The API takes them as text, too, which is what a path or a form has. */
function withTextIds(schema: Schema): Schema {
  if (schema.items !== undefined) return { ...schema, items: withTextIds(schema.items) };
  if (schema.maximum !== Number.MAX_SAFE_INTEGER) return schema;
  return { description: schema.description, anyOf: [{ type: 'integer' }, { type: 'string' }] };
}

/** The value of a parameter that has only one. */
function onlyValueOf({ enum: values = [] }: Schema): string | undefined {
  const [value, ...others] = values;
  return typeof value === 'string' && others.length === 0 ? value : undefined;
}

function inputOf(document: Document, { parameters = [], requestBody }: Operation): Schema {
  if (requestBody !== undefined) return bodyOf(document, requestBody.content);
  const inQuery = parameters.filter((one) => one.in === 'query');
  return {
    properties: Object.fromEntries(inQuery.map(({ name, schema }) => [name, schema])),
    required: inQuery.filter(({ required }) => required === true).map(({ name }) => name),
  };
}

/** A parameter that is a file in a multipart body and a URL in a JSON body may be either. The admin API has no multipart bodies. */
function bodyOf(document: Document, content: Readonly<Record<string, { readonly schema: Schema }>>): Schema {
  const inForm = content['multipart/form-data']?.schema;
  const inJson = content['application/json']?.schema;
  if (inJson === undefined) throw new TypeError('a body without JSON');
  if (inForm === undefined) return resolve(document, inJson);
  const [form, json] = [resolve(document, inForm), resolve(document, inJson)];
  const properties = Object.entries(form.properties ?? {}).map(([name, ofForm]) => {
    const ofJson = json.properties?.[name];
    const isEither = ofForm.format === 'binary' && ofJson !== undefined;
    return [name, isEither ? { description: ofJson.description ?? '', anyOf: [ofJson, ofForm] } : ofForm] as const;
  });
  return { ...form, properties: Object.fromEntries(properties) };
}

function resolve({ components }: Document, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const resolved = components.schemas[schema.$ref.replace(/.*\//, '')];
  if (resolved === undefined) throw new TypeError(`${schema.$ref} is missing in the document`);
  return resolved;
}
