/** Puts the recorded calls into a document: the requests and responses of its operations, and its problems. */
import type { oas31 } from 'zod-openapi';

import { errorCatalogue } from '../errors.ts';
import { recordedAt } from './recorded-calls.ts';
import type { RecordedCall, RecordedExamples } from './recorded-calls.ts';
import recordedExamples from './recorded-examples.json' with { type: 'json' };

type Content = Record<string, oas31.MediaTypeObject>;

/** Adds the examples, as a service at `baseUrl` responds. An optional parameter gets none: tools would fill it in. */
export function addExamples(document: oas31.OpenAPIObject, baseUrl: string): void {
  const text = JSON.stringify(recordedExamples).replaceAll(recordedAt, baseUrl);
  const { calls, problems } = JSON.parse(text) as RecordedExamples; // the same members
  for (const operation of operationsOf(document)) {
    const recorded = calls[operation.operationId ?? ''] ?? [];
    if (recorded.length > 0) addCalls(operation, recorded);
  }
  const responses = Object.values(document.components?.responses ?? {});
  for (const response of responses) addProblems(contentOf(response), problems);
}

function operationsOf({ paths = {} }: oas31.OpenAPIObject): readonly oas31.OperationObject[] {
  return Object.values(paths).flatMap(({ get, post }) => [get ?? [], post ?? []].flat());
}

/** Of a body or response that is no reference. */
function contentOf(part: unknown): Content {
  const { content = {} } = (part ?? {}) as { content?: Content }; // members of the document are objects
  return content;
}

function addCalls(
  { requestBody, responses = {}, parameters = [] }: oas31.OperationObject,
  recorded: readonly RecordedCall[],
) {
  addToContent(contentOf(responses['200']), recorded, 'response');
  const { 'multipart/form-data': _files, ...content } = contentOf(requestBody);
  addToContent(content, recorded, 'request');
  for (const parameter of parameters) {
    if (!('in' in parameter) || parameter.in !== 'query' || parameter.required !== true) continue;
    Object.assign(parameter, { example: recorded[0]?.request[parameter.name] });
  }
}

function addToContent(content: Content, recorded: readonly RecordedCall[], of: 'request' | 'response'): void {
  const examples = recorded.map(
    (call) => [nameOfExample(call.title), { summary: call.title, value: call[of] }] as const,
  );
  for (const media of Object.values(content)) media.examples = Object.fromEntries(examples);
}

export function nameOfExample(title: string): string {
  return title.toLowerCase().replaceAll(/\W+/g, '-');
}

/** Each response of a problem says in its schema which codes it may have. */
function addProblems(content: Content, problems: Readonly<Record<string, unknown>>): void {
  for (const media of Object.values(content)) {
    const codes = Object.entries(errorCatalogue).filter(([code]) => JSON.stringify(media.schema).includes(`"${code}"`));
    const examples = codes.map(([code, { title }]) => [code, { summary: title, value: problems[code] }] as const);
    media.examples = Object.fromEntries(examples);
  }
}

/** Removes the examples of optional parameters, which some tools send without being asked. */
export function dropOptionalExamples(document: oas31.OpenAPIObject): void {
  for (const { parameters = [] } of operationsOf(document)) {
    for (const parameter of parameters) {
      if ('in' in parameter && parameter.required !== true) Reflect.deleteProperty(parameter.schema ?? {}, 'examples');
    }
  }
  const bodies = Object.entries(document.components?.schemas ?? {}).filter(([name]) =>
    /(?:Body|Multipart)$/.test(name),
  );
  for (const [, schema] of bodies) dropOptionalOf(schema);
}

function dropOptionalOf(schema: oas31.SchemaObject | oas31.ReferenceObject): void {
  if (!('properties' in schema)) return;
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (schema.required?.includes(name) !== true) Reflect.deleteProperty(property, 'examples');
  }
}
