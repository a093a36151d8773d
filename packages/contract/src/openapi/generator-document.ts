import type { OpenApiDocument } from './document.ts';

/**
 * The document for code generators, in OpenAPI 3.0, which more of them read than 3.1:
 * - Each body has one type, which is JSON wherever the service takes it. Of several types with one schema, openapi-python-client sends
 *   all at once, and the service refuses that.
 * - Every problem has the schema `Problem`. For the codes of one response, oapi-codegen uses types that it does not write.
 * - Times have a format and no pattern, for which openapi-generator forgets an import in Python.
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
  if ('allOf' in node && Array.isArray(node.allOf)) return convert(node.allOf[0]);
  const isTime = 'format' in node && node.format === 'date-time';
  const members = Object.entries(node).filter(([name]) => !(isTime && name === 'pattern'));
  return Object.fromEntries(members.flatMap(([name, value]) => convertMember(name, value)));
}

function convertMember(name: string, value: unknown): readonly (readonly [name: string, value: unknown])[] {
  if (name === 'requestBody') return [[name, withFirstType(convert(value) as Body)]]; // a body of the document
  // Its identifier is younger. A license has a name.
  if (name === 'license') return [[name, { name: (value as { name: string }).name }]];
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

/** JSON comes first in the bodies that have it. */
function withFirstType(body: Body): Body {
  return { ...body, content: Object.fromEntries(Object.entries(body.content).slice(0, 1)) };
}
