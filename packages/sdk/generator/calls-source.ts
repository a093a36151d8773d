/**
 * Writes the source of `src/generated/calls.ts`: a typed method for every row of the contract, and a table that
 * says how to send it. The types come from the OpenAPI document, against which tests check every response.
 */
import { routesByName } from '@linnet/contract/routes';
import { errorCatalogue } from '@linnet/contract/errors';
import type { Route } from '@linnet/contract/route';
import { scopes } from '@linnet/contract/scopes';

import { callsOf, isPaged, objectsOf, readDocument, typeName } from './call-model.ts';
import type { Call } from './call-model.ts';
import { comment, membersOf, typeOf } from './type-source.ts';

export function callsSource(routes: readonly Route[] = Object.values(routesByName)): string {
  const document = readDocument(routes);
  const calls = callsOf(document, routes);
  return [
    '// Generated from the rows of the contract. Do not edit.',
    `import type { CallDescription, CallOptions, List, Upload } from '../call.ts';\n`,
    ...union(
      'ErrorCode',
      'Stable codes of the errors of the API. Each code has one status.',
      Object.keys(errorCatalogue),
    ),
    ...union('Scope', 'The scopes that an application can request.', scopes),
    ...objectsOf(document).map(
      ([name, schema]) => `${comment(schema.description)}export interface ${name} {\n${membersOf(schema)}}\n`,
    ),
    ...calls.map(typesOf),
    methodsSource(calls),
    tableSource(calls),
  ].join('\n');
}

function union(name: string, description: string, members: readonly string[]): readonly string[] {
  return [`${comment(description)}export type ${name} =${members.map((one) => `\n| '${one}'`).join('')};\n`];
}

function typesOf(call: Call): string {
  const { parameters, response, noun, verb } = call;
  const own = membersOf(parameters, true);
  const ofParameters =
    own === ''
      ? []
      : [
          `${comment(`Parameters of \`${noun}.${verb}\`.`)}export interface ${typeName(call, 'Parameters')} {\n${own}}\n`,
        ];
  const ofResponse =
    response.properties === undefined
      ? []
      : [
          `${comment(`Response of \`${noun}.${verb}\`.`)}export interface ${typeName(call, 'Response')} {\n${membersOf(response)}}\n`,
        ];
  return [...ofParameters, ...ofResponse].join('\n');
}

function responseType(call: Call): string {
  return call.response.properties === undefined ? typeOf(call.response) : typeName(call, 'Response');
}

function resultType(call: Call): string {
  if (!isPaged(call)) return `Promise<${responseType(call)}>`;
  const item = call.response.properties?.['items']?.items;
  return `List<${responseType(call)}, ${item === undefined ? responseType(call) : typeOf(item)}>`;
}

function methodSource(call: Call): string {
  const { route, verb, parameters } = call;
  const names = Object.keys(parameters.properties ?? {});
  const isNeeded = names.some((name) => parameters.required?.includes(name) === true);
  const taken = names.length === 0 ? 'Record<never, never>' : typeName(call, 'Parameters');
  const errors = route.errors.map((code) => `\`${code}\``).join(', ');
  const requirements = [
    route.scope === null ? 'Requires any valid access token.' : `Requires the scope \`${route.scope}\`.`,
    ...(route.requiresAccount ? ['Requires an access token that acts for an account.'] : []),
    ...(errors === '' ? [] : [`Errors: ${errors}.`]),
  ];
  const signature = `${verb}(parameters${isNeeded ? '' : '?'}: ${taken}, options?: CallOptions): ${resultType(call)};`;
  return `${comment(`${route.summary}.`, route.description, requirements.join(' '))}${signature}\n`;
}

function methodsSource(calls: readonly Call[]): string {
  const nouns = [...Map.groupBy(calls, ({ noun }) => noun)];
  const members = nouns.map(([noun, ofNoun]) => `readonly ${noun}: {\n${ofNoun.map(methodSource).join('')}};\n`);
  return `${comment('Every endpoint of the API, by noun and verb.')}export interface Calls {\n${members.join('')}}\n`;
}

function tableSource(calls: readonly Call[]): string {
  const rows = [...Map.groupBy(calls, ({ noun }) => noun)].map(
    ([noun, ofNoun]) => `${noun}: {\n${ofNoun.map((call) => `${call.verb}: ${descriptionOf(call)},\n`).join('')}},\n`,
  );
  const type = 'Readonly<Record<string, Readonly<Record<string, CallDescription>>>>';
  return `${comment('How to send each call.')}export const calls: ${type} = {\n${rows.join('')}};\n`;
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
