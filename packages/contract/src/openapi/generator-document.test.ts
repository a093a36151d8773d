import { expect, test } from 'vitest';

import { createOpenApiDocument } from './document.ts';
import { toGeneratorDocument } from './generator-document.ts';

const document = createOpenApiDocument({ baseUrl: 'https://linnet.example', shownName: 'Linnet' });

/** The objects of a document, without data of the API. */
function nodesOf(node: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (typeof node !== 'object' || node === null) return [];
  const members = Object.entries(node).filter(([name]) => !['example', 'examples', 'default', 'enum'].includes(name));
  return [node as Readonly<Record<string, unknown>>, ...members.flatMap(([, value]) => nodesOf(value))];
}

test('uses only what OpenAPI 3.0 has', () => {
  const nodes = nodesOf(toGeneratorDocument(document));
  expect(nodes[0]).toMatchObject({ openapi: '3.0.4', info: { license: { name: expect.any(String) } } });
  expect(JSON.stringify(nodes[0]?.['info'])).not.toContain('identifier');
  const newer =
    /^(?:allOf|anyOf|const|prefixItems|propertyNames|patternProperties|contentEncoding|contentMediaType|\$defs|if|webhooks)$/;
  const names = new Set(nodes.flatMap((node) => Object.keys(node)));
  expect([...names].filter((name) => newer.test(name))).toEqual([]);
  const isNewer = (node: Readonly<Record<string, unknown>>) =>
    Array.isArray(node['type']) || Array.isArray(node['examples']) || typeof node['exclusiveMinimum'] === 'number';
  expect(nodes.filter(isNewer)).toEqual([]);
  expect(nodes.filter((node) => '$ref' in node && Object.keys(node).length > 1)).toEqual([]);
  expect(nodes.filter(({ format, pattern }) => format === 'date-time' && pattern !== undefined)).toEqual([]);
});

test('bodies have one type, and what may be null says so', () => {
  const nodes = nodesOf(toGeneratorDocument(document));
  const bodies = nodes.flatMap(({ requestBody }) => (requestBody === undefined ? [] : [requestBody]));
  const types = bodies.map((body) => Object.keys((body as { content: object }).content));
  expect(new Set(types.map((one) => one.length))).toEqual(new Set([1]));
  expect([...new Set(types.flat())].toSorted()).toEqual([
    ...['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
  ]);
  const nullable = nodes.filter((node) => node['nullable'] === true);
  expect(new Set(nullable.map(({ type }) => type))).toEqual(new Set(['string']));
});

test('has one way to send a token, uploads with files, and no empty list', () => {
  const generated = toGeneratorDocument(document);
  const nodes = nodesOf(generated);
  expect(Object.keys((generated as typeof document).components?.securitySchemes ?? {})).toEqual([
    'bearer',
    'clientSecret',
  ]);
  expect(new Set(nodes.flatMap(({ security }) => (security === undefined ? [] : [JSON.stringify(security)])))).toEqual(
    new Set(['[{"bearer":[]}]', '[{"clientSecret":[]},{}]', '[]']),
  );
  expect(nodes.filter(({ required }) => Array.isArray(required) && required.length === 0)).toEqual([]);
  const { post } = (generated as Required<typeof document>).paths['/media/upload'] ?? {};
  expect(JSON.stringify(post?.requestBody)).toContain(
    '"multipart/form-data":{"schema":{"$ref":"#/components/schemas/MediaUploadMultipart"}',
  );
});

test('responses with one schema have the same header of versions: none', () => {
  const headers = nodesOf(toGeneratorDocument(document)).flatMap((node) => Object.keys(node['headers'] ?? {}));
  expect(headers).toContain('RateLimit');
  expect(headers).not.toContain('ETag');
});

test('has the same calls, and leaves the document as it is', () => {
  const before = JSON.stringify(document);
  const { paths } = toGeneratorDocument(document) as Pick<typeof document, 'paths'>;
  expect(Object.keys(paths ?? {})).toEqual(Object.keys(document.paths ?? {}));
  expect(JSON.stringify(document)).toBe(before);
});
