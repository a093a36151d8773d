import type { OpenApiDocument } from './document.ts';

/**
 * The document for code generators, in OpenAPI 3.0, which more of them read than 3.1:
 * - Each body has one type: multipart if it can be a file, otherwise JSON wherever the service takes it. Of several types with one
 *   schema, openapi-python-client sends all at once, and the service refuses that.
 * - The API has the scheme `bearer` alone. Of several schemes, generated clients apply all, and send the token of `oauth` without `Bearer`.
 * - Every problem has the schema `Problem`. For the codes of one response, oapi-codegen uses types that it does not write.
 * - Times have a format and no pattern, for which openapi-generator forgets an import in Python.
 * - Lists have no default, which ogen does not know.
 * - Responses have no `ETag`: ogen makes one type of all responses with one schema, whatever their headers.
 * - A call that may be proposed has the response of the call itself: of two schemas, ogen cannot tell which one it got.
 * - What may be null is `nullable`, and a schema has one `example`. Nothing else that the document uses differs between the versions.
 */
export function toGeneratorDocument(document: OpenApiDocument): object {
  return { ...(convert(document) as object), openapi: '3.0.4' }; // an object stays one
}

/** Members whose values are data of the API. */
const isData = new Set(['example', 'examples', 'default', 'enum']);

function convert(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(convert);
  if (typeof node !== 'object' || node === null) return node;
  const [own] = schemasOf(node);
  if (own !== undefined) return convert(own);
  const isTime = 'format' in node && node.format === 'date-time';
  const isList = 'type' in node && node.type === 'array';
  const members = Object.entries(node).filter(
    ([name]) => !(isTime && name === 'pattern') && !(isList && name === 'default'),
  );
  return Object.fromEntries(members.flatMap(([name, value]) => convertMember(name, value)));
}

/** Of a problem, or of a call that may be proposed: the first is the one to keep. */
function schemasOf(node: object): readonly unknown[] {
  const schemas: unknown = 'allOf' in node ? node.allOf : Reflect.get(node, 'anyOf');
  return Array.isArray(schemas) ? schemas : [];
}

/** Members of the document that differ. */
const conversions: Readonly<Record<string, (value: unknown) => unknown>> = {
  headers: (value) => {
    const { ETag: _tag, ...others } = value as Readonly<Record<string, unknown>>; // of a response
    return convert(others);
  },
  requestBody: (value) => withOneType(convert(value) as Body), // a body of the document
  // Of an operation, a list of requirements.
  security: (value) => (value as readonly object[]).filter((one) => !('oauth' in one)),
  securitySchemes: (value) => {
    const { oauth: _oauth, ...others } = value as Readonly<Record<string, unknown>>; // an object
    return convert(others);
  },
  // Its identifier is younger. A license has a name.
  license: (value) => ({ name: (value as { name: string }).name }),
};

function convertMember(name: string, value: unknown): readonly (readonly [name: string, value: unknown])[] {
  const own = Object.hasOwn(conversions, name) ? conversions[name] : undefined;
  if (own !== undefined) return [[name, own(value)]];
  if (name === 'type' && Array.isArray(value)) {
    const types = value.filter((type) => type !== 'null');
    return [['type', types[0]], ...(types.length < value.length ? [['nullable', true] as const] : [])];
  }
  // Of a media type, `examples` is an object.
  if (name === 'examples' && Array.isArray(value)) return [['example', value[0]]];
  return [[name, isData.has(name) ? value : convert(value)]];
}

interface Body {
  readonly content: Readonly<Record<string, unknown>>;
}

/** JSON comes first in the bodies that have it. A schema of its own for multipart bodies has a file. */
function withOneType(body: Body): Body {
  const types = Object.entries(body.content);
  const withFile = types.find(([, media]) => JSON.stringify(media).includes('Multipart"'));
  return { ...body, content: Object.fromEntries<unknown>([withFile ?? types[0]].filter((one) => one !== undefined)) };
}
