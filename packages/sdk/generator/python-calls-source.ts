/**
 * Writes the modules of the Python SDK that follow from the contract: `calls.py` with a method for each row and a `TypedDict` for each object,
 * and `problems.py` with an exception for each error.
 */
import { errorCatalogue } from '@linnet/contract/errors';
import type { ErrorCode } from '@linnet/contract/errors';
import type { Route } from '@linnet/contract/route';
import { routesByName } from '@linnet/contract/routes';
import { scopes } from '@linnet/contract/scopes';

import { callsOf, capitalize, objectsOf, readDocument, rowsOf, typeName } from './call-model.ts';
import type { Call } from './call-model.ts';
import { docstring, isKeyword, literal, snakeCase } from './python-text.ts';
import { annotateParameter, createPythonTypes } from './python-types.ts';
import type { PythonTypes } from './python-types.ts';

const generated = '# Generated from the rows of the contract. Do not edit.';

const callsHead = `${generated}
"""Every call of the API: a class for each noun with a method for each verb, and the types of what they return."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, TypedDict

from ._api import Api
from .paginated_list import PaginatedList
from .upload import Upload

if sys.version_info >= (3, 11):
    from typing import NotRequired
elif TYPE_CHECKING:
    from typing_extensions import NotRequired
`;

/** The options of every call, which no parameter may be named after. */
const timeLimit = ['time_limit: float | None = None'];
const key = ['idempotency_key: str | None = None'];

export function pythonCallsSource(routes: readonly Route[] = Object.values(routesByName)): string {
  const document = readDocument(routes);
  const calls = callsOf(document, rowsOf(routes));
  const types = createPythonTypes();
  for (const [name, schema] of objectsOf(document)) types.addClass(name, schema);
  const nouns = [...Map.groupBy(calls, ({ noun }) => noun)];
  const classes = nouns.map(([noun, ofNoun]) => classSource(noun, ofNoun, types));
  const scope = `Scope = Literal[${scopes.map(literal).join(', ')}]\n${docstring(['The scopes that an application can request.'], '').join('\n')}\n`;
  return [callsHead, scope, ...types.sources, ...classes, facadeSource(nouns.map(([noun]) => noun))].join('\n\n');
}

function classOf(noun: string): string {
  return `${capitalize(noun)}Calls`;
}

function classSource(noun: string, calls: readonly Call[], types: PythonTypes): string {
  const methods = calls.map((call) => methodSource(call, types));
  return [
    `class ${classOf(noun)}:`,
    ...docstring([`The calls of \`linnet.${noun}\`.`], '    '),
    '',
    '    def __init__(self, api: Api) -> None:',
    '        self._api = api',
    '',
    `${methods.join('\n\n')}\n`,
  ].join('\n');
}

function methodSource(call: Call, types: PythonTypes): string {
  const { verb, route, parameters, fixed } = call;
  const { method } = route;
  const { properties = {}, required = [] } = parameters;
  const names = Object.keys(properties).toSorted((a, b) => Number(required.includes(b)) - Number(required.includes(a)));
  const own = names.map((name) => parameterSource(name, properties[name] ?? {}, required.includes(name)));
  own.splice(call.short.length, 0, '*');
  const options = [...(route.writes ? key : []), ...timeLimit];
  const taken = [...own, ...options].map((one) => `        ${one},\n`).join('');
  const response = responseType(call, types);
  const result = call.page !== undefined ? `PaginatedList[${response}, ${itemType(call, response, types)}]` : response;
  const sent = [
    ...Object.entries(fixed).map(([name, value]) => `${literal(name)}: ${literal(value)}`),
    ...names.map((name) => `${literal(name)}: ${name}`),
  ];
  const request = [literal(method), literal(route.path), dictSource(sent)];
  const settings = [
    ...(route.writes ? ['idempotency_key=idempotency_key'] : []),
    'time_limit=time_limit',
    ...(call.wrapper === undefined ? [] : [`wrapper=${literal(call.wrapper)}`]),
  ];
  const lines = [...request, ...settings].map((one) => `            ${one},\n`).join('');
  return [
    `    def ${snakeCase(verb)}(\n        self,\n${taken}    ) -> ${result}:`,
    ...docstring(documentationOf(call), '        '),
    `        result: ${result} = self._api.${senderOf(call)}(\n${lines}        )`,
    '        return result',
  ].join('\n');
}

/** The method of `Api` that sends the call. */
function senderOf(call: Call): string {
  if (call.page !== undefined) return 'pages';
  return call.route.writes ? 'write' : 'read';
}

/** On one line if it fits. */
function dictSource(entries: readonly string[]): string {
  const line = `{${entries.join(', ')}}`;
  if (line.length <= 80) return line;
  return `{\n${entries.map((entry) => `                ${entry},\n`).join('')}            }`;
}

function parameterSource(name: string, schema: object, isRequired: boolean): string {
  if (isKeyword(name) || [...timeLimit, ...key].some((option) => option.startsWith(`${name}:`))) {
    throw new TypeError(`a parameter cannot be named ${name}`);
  }
  const type = annotateParameter(schema);
  return isRequired ? `${name}: ${type}` : `${name}: ${type} | None = None`;
}

function documentationOf({ route, parameters }: Call): readonly string[] {
  const described = Object.entries(parameters.properties ?? {})
    .filter(([, { description }]) => description !== undefined)
    .map(([name, { description = '' }]) => `    ${name}: ${description.replaceAll('\n', ' ')}`);
  const requirements = [
    route.scope === null ? 'Requires any valid access token.' : `Requires the scope \`${route.scope}\`.`,
    ...(route.requiresAccount ? ['Requires an access token that acts for an account.'] : []),
  ];
  const errors = route.errors.map((code) => `\`${exceptionOf(code)}\``);
  return [
    `${route.summary}.`,
    route.description ?? '',
    ...(described.length === 0 ? [] : [['Args:', ...described].join('\n')]),
    [...requirements, ...(errors.length === 0 ? [] : [`Problems: ${errors.join(', ')}.`])].join(' '),
  ];
}

function responseType(call: Call, types: PythonTypes): string {
  const { response, noun, verb } = call;
  const name = typeName(call, 'Response');
  if (response.properties === undefined) return types.annotate(response, name);
  return types.addClass(name, response, `Response of \`${noun}.${snakeCase(verb)}\`.`);
}

function itemType(call: Call, response: string, types: PythonTypes): string {
  const items = call.response.properties?.['items']?.items;
  return items === undefined ? response : types.annotate(items, typeName(call, 'Item'));
}

function facadeSource(nouns: readonly string[]): string {
  const members = nouns.map((noun) => `        self.${snakeCase(noun)} = ${classOf(noun)}(api)\n`);
  return `class Calls:\n    """Every call of the API, by noun and verb: \`linnet.posts.create("Hello")\`."""\n\n    def __init__(self, api: Api) -> None:\n${members.join('')}`;
}

const problemsHead = `${generated}
"""An exception for each error of the API, so that you can catch the ones that you handle."""

from __future__ import annotations

from .errors import ApiError
`;

export function pythonProblemsSource(): string {
  const codes = Object.keys(errorCatalogue) as readonly ErrorCode[]; // Object.keys returns string[]
  const classes = codes.map((code) => {
    const { status, title } = errorCatalogue[code];
    const text = docstring([`${title} (\`${code}\`, status ${String(status)}).`], '    ');
    return `class ${exceptionOf(code)}(ApiError):\n${text.join('\n')}\n`;
  });
  const rows = codes.map((code) => `    ${literal(code)}: ${exceptionOf(code)},\n`);
  const table = `by_code: dict[str, type[ApiError]] = {\n${rows.join('')}}\n${docstring(['The exception of each code.'], '').join('\n')}\n`;
  return [problemsHead, ...classes, table].join('\n\n');
}

/** `invalid-parameter` as `InvalidParameter`. */
function exceptionOf(code: ErrorCode): string {
  return code.split(/[-_]/).map(capitalize).join('');
}
