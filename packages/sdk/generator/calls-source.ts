/**
 * The source of `src/generated/calls.ts`: every call of the contract as a method with its types, and a small table
 * for sending it. Types come from the OpenAPI document, which the tests of the API hold every answer against.
 */
import { routesByName } from '@linnet/contract/routes';
import { callNameOf } from '@linnet/contract/call-name';
import { errorCatalogue } from '@linnet/contract/errors';
import { createOpenApiDocument } from '@linnet/contract/openapi';
import type { Route } from '@linnet/contract/route';
import { scopes } from '@linnet/contract/scopes';

import { comment, membersOf, typeOf } from './type-source.ts';
import type { Schema } from './type-source.ts';

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

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** One call, as both the types and the table need it. */
interface Call {
  readonly route: Route;
  readonly method: 'GET' | 'POST';
  readonly noun: string;
  readonly verb: string;
  readonly parameters: Schema;
  readonly fixed: Readonly<Record<string, string>>;
  readonly answer: Schema;
}

export function callsSource(routes: readonly Route[] = Object.values(routesByName)): string {
  const text = JSON.stringify(
    createOpenApiDocument({ baseUrl: 'https://linnet.example', shownName: 'Linnet', routes }),
  );
  const document = JSON.parse(text) as Document; // as it is published
  const calls = routes.map((route) => toCall(document, route)).toSorted(byName);
  return [
    '// Written by `pnpm openapi` from the rows of the contract; not to be edited.',
    `import type { CallDescription, CallOptions, List } from '../call.ts';\n`,
    ...words('ErrorCode', 'Stable names of what the API refuses; each has one status.', Object.keys(errorCatalogue)),
    ...words('Scope', 'What an application may ask people for.', scopes),
    ...objectSources(document),
    ...calls.map(typesOf),
    methodsSource(calls),
    tableSource(calls),
  ].join('\n');
}

function byName(a: Call, b: Call): number {
  return `${a.noun}.${a.verb}` < `${b.noun}.${b.verb}` ? -1 : 1;
}

function words(name: string, description: string, members: readonly string[]): readonly string[] {
  return [`${comment(description)}export type ${name} =${members.map((one) => `\n| '${one}'`).join('')};\n`];
}

function objectSources({ components }: Document): readonly string[] {
  return Object.entries(components.schemas)
    .filter(([name]) => !/(Body|Multipart)$/.test(name))
    .map(([name, schema]) => `${comment(schema.description)}export interface ${name} {\n${membersOf(schema)}}\n`);
}

function toCall(document: Document, route: Route): Call {
  const [noun, verb] = callNameOf(route);
  // An address keeps what is in it (logs, histories); a body does not.
  const method = route.methods.includes('POST') ? 'POST' : 'GET';
  const operation = document.paths[route.path]?.[method.toLowerCase()];
  if (operation === undefined) throw new TypeError(`${route.id} is not in the document`);
  const all = inputOf(document, operation);
  const properties = Object.entries(all.properties ?? {});
  const fixed = properties.filter(([, { const: value }]) => typeof value === 'string');
  const free = properties.filter(([, { const: value }]) => typeof value !== 'string');
  return {
    route,
    method,
    noun,
    verb,
    parameters: { ...all, properties: Object.fromEntries(free) },
    fixed: Object.fromEntries(fixed.map(([name, { const: value }]) => [name, String(value)])),
    answer: operation.responses[200].content['application/json'].schema,
  };
}

function inputOf(document: Document, { parameters = [], requestBody }: Operation): Schema {
  if (requestBody !== undefined) {
    const { content } = requestBody;
    // What may be a file is said of multipart bodies alone.
    const { schema = {} } = content['multipart/form-data'] ?? {};
    return document.components.schemas[schema.$ref?.replace(/.*\//, '') ?? ''] ?? schema;
  }
  const inQuery = parameters.filter((one) => one.in === 'query');
  return {
    properties: Object.fromEntries(inQuery.map(({ name, schema }) => [name, schema])),
    required: inQuery.filter(({ required }) => required === true).map(({ name }) => name),
  };
}

function typeName({ noun, verb }: Call, kind: string): string {
  return `${capitalize(noun)}${capitalize(verb)}${kind}`;
}

function capitalize(word: string): string {
  return word.replace(/^./, (letter) => letter.toUpperCase());
}

function typesOf(call: Call): string {
  const { parameters, answer, noun, verb } = call;
  const own = membersOf(parameters, true);
  const ofParameters =
    own === ''
      ? []
      : [
          `${comment(`Parameters of \`${noun}.${verb}\`.`)}export interface ${typeName(call, 'Parameters')} {\n${own}}\n`,
        ];
  const ofAnswer =
    answer.properties === undefined
      ? []
      : [
          `${comment(`Answer of \`${noun}.${verb}\`.`)}export interface ${typeName(call, 'Answer')} {\n${membersOf(answer)}}\n`,
        ];
  return [...ofParameters, ...ofAnswer].join('\n');
}

function answerType(call: Call): string {
  return call.answer.properties === undefined ? typeOf(call.answer) : typeName(call, 'Answer');
}

function isPaged({ answer }: Call): boolean {
  return answer.properties?.['next'] !== undefined;
}

function resultType(call: Call): string {
  if (!isPaged(call)) return `Promise<${answerType(call)}>`;
  const item = call.answer.properties?.['items']?.items;
  return `List<${answerType(call)}, ${item === undefined ? answerType(call) : typeOf(item)}>`;
}

function methodSource(call: Call): string {
  const { route, verb, parameters } = call;
  const names = Object.keys(parameters.properties ?? {});
  const isNeeded = names.some((name) => parameters.required?.includes(name) === true);
  const taken = names.length === 0 ? 'Record<never, never>' : typeName(call, 'Parameters');
  const refusals = route.errors.map((code) => `\`${code}\``).join(', ');
  const needs = [
    route.scope === null ? 'Any token will do.' : `Needs the scope \`${route.scope}\`.`,
    ...(route.requiresAccount ? ['Acts as the account of the token.'] : []),
    ...(refusals === '' ? [] : [`May be refused with ${refusals}.`]),
  ];
  const signature = `${verb}(parameters${isNeeded ? '' : '?'}: ${taken}, options?: CallOptions): ${resultType(call)};`;
  return `${comment(`${route.summary}.`, needs.join(' '))}${signature}\n`;
}

function methodsSource(calls: readonly Call[]): string {
  const nouns = [...Map.groupBy(calls, ({ noun }) => noun)];
  const members = nouns.map(([noun, ofNoun]) => `readonly ${noun}: {\n${ofNoun.map(methodSource).join('')}};\n`);
  return `${comment('Every call of the API, by noun and verb.')}export interface Calls {\n${members.join('')}}\n`;
}

function tableSource(calls: readonly Call[]): string {
  const rows = [...Map.groupBy(calls, ({ noun }) => noun)].map(
    ([noun, ofNoun]) => `${noun}: {\n${ofNoun.map((call) => `${call.verb}: ${descriptionOf(call)},\n`).join('')}},\n`,
  );
  const type = 'Readonly<Record<string, Readonly<Record<string, CallDescription>>>>';
  return `${comment('How each of them is sent.')}export const calls: ${type} = {\n${rows.join('')}};\n`;
}

function descriptionOf(call: Call): string {
  const { method, fixed, route } = call;
  const description = {
    method,
    path: route.path,
    ...(route.writes ? { writes: true } : {}),
    ...(isPaged(call) ? { paged: true } : {}),
    ...(Object.keys(fixed).length === 0 ? {} : { fixed }),
  };
  return JSON.stringify(description)
    .replaceAll(/"(\w+)":/g, '$1:')
    .replaceAll('"', "'");
}
