import { createOpenApiDocument } from '@linnet/contract/openapi/document';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** A response and its request; `target` is the method and the path below /api/v2.0. */
interface SeenResponse {
  readonly target: string;
  readonly status: number;
  readonly contentType: string;
  readonly body: unknown;
}

/** Checks a response. @throws Error that says how it differs from the OpenAPI document. */
export type CheckResponse = (response: SeenResponse) => void;

const documentId = 'openapi.json';
const problemType = 'application/problem+json';
/** Sent by packages/service for an unknown Host, before the API sees the request. */
const misdirected = 421;
const notModified = 304;
/** The documentation itself is not an endpoint. */
const documentation = /^\S+ \/(?:openapi\.json|docs)(?:[/?]|$)/;

/**
 * Compares responses with the document that the service publishes: status, content type and body. Undocumented
 * members fail here, although clients must accept them.
 */
export function createResponseCheck(baseUrl: string): CheckResponse {
  const document = createOpenApiDocument({ baseUrl, shownName: 'Linnet' });
  // oxlint-disable-next-line typescript/no-explicit-any -- the path comes from the document itself
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

  return (response) => {
    const { target, status, contentType, body } = response;
    if (status === notModified) {
      locate(root, response);
      return;
    }
    if (status === misdirected || documentation.test(target) || isPreflight(response)) return;
    const pointer = locate(root, response);
    const type = contentType.replace(/;.*$/, '');
    if (type !== typeFor(status)) throw new Error(`${target}: ${String(status)} with ${type} is not documented`);
    const mismatch = target.startsWith('HEAD ') ? undefined : validate(pointer, body);
    if (mismatch !== undefined) throw new Error(`${target}: ${String(status)} differs from the document\n${mismatch}`);
  };
}

function isPreflight({ target, status }: SeenResponse): boolean {
  return target.startsWith('OPTIONS ') && status === 204;
}

/** JSON Pointer to the schema of a response (RFC 6901). */
// oxlint-disable-next-line typescript/no-explicit-any -- the path comes from the document itself
function locate(root: any, { target, status }: SeenResponse): string {
  const [method = '', address = ''] = target.split(' ');
  const path = address.replace(/\?.*$/s, '');
  const operation = method === 'HEAD' ? 'get' : method.toLowerCase();
  const responses = root.paths[path]?.[operation]?.responses;
  const documented = responses?.[status];
  if (documented === undefined) return locateUndocumented({ target, status }, responses !== undefined);
  const own = `/paths/${escape(path)}/${operation}/responses/${String(status)}`;
  const base = typeof documented.$ref === 'string' ? String(documented.$ref.slice(1)) : own;
  return `${base}/content/${escape(typeFor(status))}/schema`;
}

/** Requests that the document does not contain, such as HEAD of a write, must get a problem. */
function locateUndocumented({ target, status }: Pick<SeenResponse, 'target' | 'status'>, isEndpoint: boolean): string {
  const isUndocumented = !isEndpoint || (target.startsWith('HEAD ') && status === 405);
  if (isUndocumented && status >= 400) return '/components/schemas/Problem';
  throw new Error(`${target}: ${String(status)} is not documented`);
}

function typeFor(status: number): string {
  return status < 400 ? 'application/json' : problemType;
}

/** Escapes a segment of a JSON Pointer in a URI fragment (RFC 6901). */
function escape(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
}

/** Closes every object schema, except the parts of an `allOf`, which see only their own members. */
function close(node: unknown, isPart = false): unknown {
  if (Array.isArray(node)) return node.map((one) => close(one, isPart));
  if (typeof node !== 'object' || node === null) return node;
  const closed = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, close(value, key === 'allOf')]));
  const isObject = closed['type'] === 'object' && typeof closed['properties'] === 'object';
  return isObject && !isPart ? { additionalProperties: false, ...closed } : closed;
}
