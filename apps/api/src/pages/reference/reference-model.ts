/** What the reference shows, from the OpenAPI document. */
import type { ErrorCode } from '@linnet/contract/errors';

import { nameOf, resolveResponse } from './published-document.ts';
import type { Media, Operation, PublishedDocument } from './published-document.ts';
import { parametersOf, describeType, fieldsOf } from './schema-fields.ts';
import { samplesOf } from './samples.ts';
import type { Sample } from './samples.ts';
import type { Field } from './schema-fields.ts';

export interface ReferenceExample {
  readonly title: string;
  readonly value: unknown;
}

interface ReferenceError {
  readonly status: string;
  readonly examples: readonly ReferenceExample[];
}

export interface ReferenceOperation {
  readonly id: string;
  readonly method: Method;
  readonly path: string;
  readonly url: string;
  readonly title: string;
  readonly description: string;
  readonly parameters: readonly Field[];
  readonly takesIdempotencyKey: boolean;
  readonly requests: readonly ReferenceExample[];
  /** The name of the object that it returns, or the type; empty if the response has no body. */
  readonly returns: string;
  /** The names of objects that it returns instead, such as `Proposal`. */
  readonly alternatives: readonly string[];
  /** The members of a response that is no named object. */
  readonly fields: readonly Field[];
  readonly responses: readonly ReferenceExample[];
  /** Without the common ones. */
  readonly errors: readonly ReferenceError[];
  readonly hasCommonErrors: boolean;
  readonly samples: readonly Sample[];
  /** Whether the page can send it: only endpoints of the API, and no streams. */
  readonly canTry: boolean;
  /** Whether the response stays open, and sends events. */
  readonly isStream: boolean;
  /** Of the body that the samples send. */
  readonly bodyType: string;
  /** Whether the application sends its credentials, instead of a token. */
  readonly isOfClient: boolean;
}

export interface ReferenceSubject {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly ReferenceOperation[];
}

export interface ReferenceObject {
  readonly name: string;
  readonly description: string;
  readonly fields: readonly Field[];
}

export interface Reference {
  readonly subjects: readonly ReferenceSubject[];
  readonly objects: readonly ReferenceObject[];
  /** Errors of almost every operation of the API. */
  readonly commonErrors: readonly CommonError[];
  /** The problem of each code; its title is the code. */
  readonly problems: readonly ReferenceExample[];
}

interface CommonError {
  readonly status: string;
  readonly code: string;
}

type Method = 'GET' | 'POST';

export function toReference(document: PublishedDocument): Reference {
  const operations = Object.entries(document.paths).flatMap(([path, { get, post, servers = document.servers }]) => {
    const found: readonly (readonly [Method, Operation | undefined])[] = [
      ['GET', get],
      ['POST', post],
    ];
    const url = `${servers[0]?.url ?? ''}${path}`;
    const canTry = servers === document.servers;
    return found
      .flatMap(([method, operation]) => (operation === undefined ? [] : [{ method, operation, path, url, canTry }]))
      .toSorted((a, b) => a.operation.operationId.length - b.operation.operationId.length); // the second form comes last
  });
  const commonErrors = findCommonErrors(
    document,
    operations.filter(({ canTry }) => canTry),
  );
  const subjects = document.tags.map(({ name, description }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name));
    return { name, description, operations: own.map((one) => toOperation(document, one)) };
  });
  return { subjects, objects: objectsOf(document), commonErrors, problems: problemsOf(document) };
}

interface Found extends Pick<ReferenceOperation, 'method' | 'path' | 'url' | 'canTry'> {
  readonly operation: Operation;
}

function toOperation(document: PublishedDocument, { operation, ...found }: Found): ReferenceOperation {
  const { operationId: id, summary, description = '', responses } = operation;
  const success = Object.entries(responses).find(([status]) => Number(status) < 400);
  const content = success === undefined ? {} : (resolveResponse(document, success[1]).content ?? {});
  const [media] = Object.values(content);
  const isStream = 'text/event-stream' in content;
  const [body] = Object.values(operation.requestBody?.content ?? {});
  const parameters = parametersOf(document, operation);
  const requests = examplesOf(body);
  return {
    ...found,
    id,
    // Both forms of an operation have one summary.
    title: /By(?:Get|Post)$/.test(id) ? `${summary} (${found.method})` : summary,
    // Where the specification has it is of no use here.
    description: description.replace(/\n\nSpecification: [^\n]+$/, ''),
    parameters,
    takesIdempotencyKey: JSON.stringify(operation.parameters ?? []).includes('IdempotencyKey'),
    requests,
    ...returnsOf(document, media),
    responses: examplesOf(media),
    ...ownErrorsOf(errorsOf(document, operation)),
    ...sendingOf(operation),
    canTry: found.canTry && !isStream,
    isStream,
    samples: samplesOf({ operation, ...found, parameters, body: requests[0]?.value, isStream }),
  };
}

function sendingOf({ requestBody, security = [] }: Operation): Pick<ReferenceOperation, 'bodyType' | 'isOfClient'> {
  const [bodyType = 'application/json'] = Object.keys(requestBody?.content ?? {});
  return { bodyType, isOfClient: security.some((one) => 'clientSecret' in one) };
}

function returnsOf(
  document: PublishedDocument,
  { schema }: Media = {},
): Pick<ReferenceOperation, 'returns' | 'alternatives' | 'fields'> {
  const [usual, ...others] = schema?.anyOf ?? [schema];
  if (usual === undefined) return { returns: '', alternatives: [], fields: [] };
  const fields = usual.$ref === undefined ? fieldsOf(document, usual) : [];
  return { returns: describeType(usual), alternatives: others.flatMap((one) => one?.$ref ?? []).map(nameOf), fields };
}

function examplesOf(media: Media = {}): readonly ReferenceExample[] {
  return Object.values(media.examples ?? {}).map(({ summary, value }) => ({ title: summary, value }));
}

function errorsOf(document: PublishedDocument, { responses }: Operation): readonly ReferenceError[] {
  return Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .map(([status, response]) => {
      const [media] = Object.values(resolveResponse(document, response).content ?? {});
      return { status, examples: examplesOf(media) };
    });
}

/** The code of the problem or OAuth error in an example. */
export function codeOf({ title, value }: ReferenceExample): string {
  const { code, error } = Object(value) as Readonly<Record<string, string | undefined>>; // a problem
  return code ?? error ?? title;
}

/** Errors of almost every operation, which mean the same in all of them. */
const errorsOfAlmostAll: readonly ErrorCode[] = [
  ...(['token-required', 'invalid_token', 'insufficient_scope', 'user-context-required', 'accept-required'] as const),
  ...(['rate-limited', 'overloaded', 'internal-error', 'unavailable'] as const),
];
const commonCodes: ReadonlySet<string> = new Set(errorsOfAlmostAll);

function findCommonErrors(document: PublishedDocument, operations: readonly Found[]): readonly CommonError[] {
  const found = operations.flatMap(({ operation }) =>
    errorsOf(document, operation).flatMap(({ status, examples }) =>
      examples.map((example) => [codeOf(example), status] as const),
    ),
  );
  const statuses = new Map(found);
  return [...commonCodes].map((code) => ({ code, status: statuses.get(code) ?? '' }));
}

function isOwn(example: ReferenceExample): boolean {
  return !commonCodes.has(codeOf(example));
}

function ownErrorsOf(errors: readonly ReferenceError[]): Pick<ReferenceOperation, 'errors' | 'hasCommonErrors'> {
  const own = errors.map(({ status, examples }) => ({ status, examples: examples.filter(isOwn) }));
  return {
    errors: own.filter(({ examples }) => examples.length > 0),
    hasCommonErrors: errors.some(({ examples }) => !examples.every(isOwn)),
  };
}

function objectsOf(document: PublishedDocument): readonly ReferenceObject[] {
  return Object.entries(document.components.schemas)
    .filter(([name]) => !/(?:Body|Multipart)$/.test(name))
    .map(([name, schema]) => ({ name, description: schema.description ?? '', fields: fieldsOf(document, schema) }));
}

function problemsOf({ components }: PublishedDocument): readonly ReferenceExample[] {
  const examples = Object.values(components.responses).flatMap(({ content = {} }) =>
    Object.entries(content['application/problem+json']?.examples ?? {}),
  );
  return [...new Map(examples)].map(([code, { value }]) => ({ title: code, value }));
}
