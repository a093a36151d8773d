import { createOpenApiDocument } from '@linnet/contract/openapi';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** An answer and the call that it answers; `target` is method and path below /api/v2.0. */
interface SeenAnswer {
  readonly target: string;
  readonly status: number;
  readonly contentType: string;
  readonly body: unknown;
}

/** Fails with what is wrong when an answer is not as the OpenAPI document says. */
export type ExpectDocumented = (answer: SeenAnswer) => void;

const documentId = 'openapi.json';
const problemType = 'application/problem+json';
/** Answered by packages/service for another Host, before there is an API to speak of. */
const misdirected = 421;
/** What tells about the calls is no call. */
const documentation = /^\S+ \/(?:openapi\.json|docs)(?:[/?]|$)/;

/**
 * Holds answers against the document that the service publishes: status, type of the content, body. Members
 * that the document does not name are refused here, although readers of the document must bear them.
 */
export function createDocumentedAnswers(baseUrl: string): ExpectDocumented {
  const document = createOpenApiDocument({ baseUrl, shownName: 'Linnet' });
  // oxlint-disable-next-line typescript/no-explicit-any -- walked by names that come out of it
  const root: any = close(structuredClone(document));
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(root, documentId);
  const compiled = new Map<string, ValidateFunction>();

  const validate = (pointer: string, body: unknown): string | undefined => {
    const check = compiled.get(pointer) ?? ajv.compile({ $ref: `${documentId}#${pointer}` });
    compiled.set(pointer, check);
    return check(body) ? undefined : ajv.errorsText(check.errors, { separator: '\n' });
  };

  return (answer) => {
    const { target, status, contentType, body } = answer;
    if (status === misdirected || documentation.test(target) || isPreflight(answer)) return;
    const pointer = locate(root, answer);
    const type = contentType.replace(/;.*$/, '');
    if (type !== typeFor(status)) throw new Error(`${target}: ${String(status)} with ${type} is not documented`);
    const fault = target.startsWith('HEAD ') ? undefined : validate(pointer, body);
    if (fault !== undefined) throw new Error(`${target}: ${String(status)} is not as documented\n${fault}`);
  };
}

function isPreflight({ target, status }: SeenAnswer): boolean {
  return target.startsWith('OPTIONS ') && status === 204;
}

/** Where the schema of an answer stands (RFC 6901). */
// oxlint-disable-next-line typescript/no-explicit-any -- walked by names that come out of it
function locate(root: any, { target, status }: SeenAnswer): string {
  const [method = '', address = ''] = target.split(' ');
  const path = address.replace(/\?.*$/s, '');
  const operation = method === 'HEAD' ? 'get' : method.toLowerCase();
  const responses = root.paths[path]?.[operation]?.responses;
  const response = responses?.[status];
  if (response === undefined) return locateStray({ target, status }, responses !== undefined);
  const own = `/paths/${escape(path)}/${operation}/responses/${String(status)}`;
  const base = typeof response.$ref === 'string' ? String(response.$ref.slice(1)) : own;
  return `${base}/content/${escape(typeFor(status))}/schema`;
}

/** What the document has not, HEAD of a call that writes among it, is refused by some problem. */
function locateStray({ target, status }: Pick<SeenAnswer, 'target' | 'status'>, isCall: boolean): string {
  const isStray = !isCall || (target.startsWith('HEAD ') && status === 405);
  if (isStray && status >= 400) return '/components/schemas/Problem';
  throw new Error(`${target}: ${String(status)} is not documented`);
}

function typeFor(status: number): string {
  return status < 400 ? 'application/json' : problemType;
}

/** RFC 6901, inside a URI fragment. */
function escape(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
}

/** Refuses members that a schema does not name; parts of an `allOf` know only their own. */
function close(node: unknown, isPart = false): unknown {
  if (Array.isArray(node)) return node.map((one) => close(one, isPart));
  if (typeof node !== 'object' || node === null) return node;
  const closed = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, close(value, key === 'allOf')]));
  const isObject = closed['type'] === 'object' && typeof closed['properties'] === 'object';
  return isObject && !isPart ? { additionalProperties: false, ...closed } : closed;
}
