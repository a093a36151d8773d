/**
 * Writes the sources of `src/generated/calls.ts` and `src/generated/admin-calls.ts`: a typed method for every row of the contract, and a table that
 * says how to send it. The types come from the OpenAPI document, against which tests check every response.
 */
import { createAdminDocument } from '@linnet/contract/admin/admin-document';
import { adminApiPath, methodOf } from '@linnet/contract/admin/admin-route';
import { adminRoutes } from '@linnet/contract/admin/admin-routes';
import { routesByName } from '@linnet/contract/routes';
import { errorCatalogue } from '@linnet/contract/errors';
import type { Route } from '@linnet/contract/route';
import { scopes } from '@linnet/contract/scopes';

import { callsOf, objectsOf, readDocument, rowsOf, typeName } from './call-model.ts';
import type { Call, CallRow, Document } from './call-model.ts';
import { comment, membersOf, typeOf } from './type-source.ts';

export function callsSource(routes: readonly Route[] = Object.values(routesByName)): string {
  return source({
    document: readDocument(routes),
    rows: rowsOf(routes),
    imports: 'CallOptions, CallTable, List, Upload',
    names: { type: 'Calls', table: 'calls', base: '/api/v2.0' },
    unions: [
      ...union(
        'ErrorCode',
        'Stable codes of the errors of the API. Each code has one status.',
        Object.keys(errorCatalogue),
      ),
      ...union('Scope', 'The scopes that an application can request.', scopes),
    ],
  });
}

export function adminCallsSource(): string {
  return source({
    document: JSON.parse(createAdminDocument()) as Document, // the contract is checked by its own tests
    rows: adminRoutes.map((route) => ({
      ...route,
      method: methodOf(route),
      requiresAccount: false,
      writes: methodOf(route) === 'POST',
    })),
    imports: 'CallOptions, CallTable, List',
    names: { type: 'AdminCalls', table: 'adminCalls', base: adminApiPath },
    unions: [],
  });
}

/** Of what the source exports. */
interface Names {
  readonly type: string;
  readonly table: string;
  /** Before each path. */
  readonly base: string;
}

interface SourceParts {
  readonly document: Document;
  readonly rows: readonly CallRow[];
  readonly imports: string;
  readonly names: Names;
  readonly unions: readonly string[];
}

function source({ document, rows, imports, names, unions }: SourceParts): string {
  const calls = callsOf(document, rows);
  return [
    '// Generated from the rows of the contract. Do not edit.',
    `import type { ${imports} } from '../call.ts';\n`,
    ...unions,
    ...objectsOf(document).map(
      ([name, schema]) => `${comment(schema.description)}export interface ${name} {\n${membersOf(schema)}}\n`,
    ),
    ...calls.map(typesOf),
    methodsSource(calls, names.type),
    tableSource(calls, names),
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
  if (call.page === undefined) return `Promise<${responseType(call)}>`;
  const item = call.page.properties?.['items']?.items;
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
  const documentation = comment(`${route.summary}.`, route.description, requirements.join(' '));
  return `${shortSignature(call)}${documentation}${signature}\n`;
}

/** The overload with the required parameters in order. It comes first: errors of the compiler then speak of the names. */
function shortSignature(call: Call): string {
  const { verb, noun, short, parameters } = call;
  if (short.length === 0) return '';
  const own = short.map((name) => `${name}: ${typeOf(parameters.properties?.[name] ?? {})}`);
  const long = `\`${noun}.${verb}({ ${short.join(', ')} })\``;
  return `${comment(`${call.route.summary}. Short for ${long}.`)}${verb}(${own.join(', ')}, options?: CallOptions): ${resultType(call)};\n`;
}

function methodsSource(calls: readonly Call[], name: string): string {
  const nouns = [...Map.groupBy(calls, ({ noun }) => noun)];
  const members = nouns.map(([noun, ofNoun]) => `readonly ${noun}: {\n${ofNoun.map(methodSource).join('')}};\n`);
  return `${comment('Every endpoint of the API, by noun and verb.')}export interface ${name} {\n${members.join('')}}\n`;
}

function tableSource(calls: readonly Call[], { table, base }: Names): string {
  const rows = [...Map.groupBy(calls, ({ noun }) => noun)].map(
    ([noun, ofNoun]) => `${noun}: {\n${ofNoun.map((call) => `${call.verb}: ${descriptionOf(call)},\n`).join('')}},\n`,
  );
  return `${comment('How to send each call.')}export const ${table}: CallTable = {\nbase: '${base}',\nnouns: {\n${rows.join('')}},\n};\n`;
}

function descriptionOf(call: Call): string {
  const { fixed, route } = call;
  const description = {
    method: route.method,
    path: route.path,
    ...(route.writes ? { writes: true } : {}),
    ...(call.page === undefined ? {} : { paged: true }),
    ...(call.wrapper === undefined ? {} : { wrapper: call.wrapper }),
    ...(call.short.length === 0 ? {} : { short: call.short }),
    ...(Object.keys(fixed).length === 0 ? {} : { fixed }),
  };
  return JSON.stringify(description)
    .replaceAll(/"(\w+)":/g, '$1:')
    .replaceAll('"', "'");
}
