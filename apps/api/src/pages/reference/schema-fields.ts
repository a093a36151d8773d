/** The members of a schema as rows of a list. */

import { nameOf, resolveSchema } from './published-document.ts';
import type { Operation, PublishedDocument, Schema } from './published-document.ts';

export interface Field {
  /** With dots for members of members. */
  readonly name: string;
  readonly type: string;
  /** The named object that the field has or lists, if any. */
  readonly object: string | undefined;
  readonly description: string;
  readonly isRequired: boolean;
  readonly isFile: boolean;
  readonly values: readonly string[];
  /** As JSON. */
  readonly defaultValue: string | undefined;
  readonly example: unknown;
}

export function fieldsOf(document: PublishedDocument, schema: Schema | undefined, prefix = ''): readonly Field[] {
  const { properties = {}, required = [] } = resolveSchema(document, schema);
  return Object.entries(properties).flatMap(([name, property]) => {
    const own = toField(`${prefix}${name}`, property, required.includes(name));
    const inner = property.items ?? property;
    return inner.$ref === undefined ? [own, ...fieldsOf(document, inner, `${own.name}.`)] : [own];
  });
}

function toField(name: string, property: Schema, isRequired: boolean): Field {
  const $ref = property.$ref ?? property.items?.$ref;
  return {
    name,
    type: describeType(property),
    object: $ref === undefined ? undefined : nameOf($ref),
    description: property.description ?? '',
    isRequired,
    isFile: property.format === 'binary',
    values: (property.enum ?? []).map(String),
    defaultValue: property.default === undefined ? undefined : JSON.stringify(property.default),
    example: property.example,
  };
}

/** A type as people read it: `integer`, `array of integers`, `array of Post`, `string or null`. */
export function describeType({ $ref, type = 'object', format = '', items = {}, enum: values = [] }: Schema): string {
  if ($ref !== undefined) return nameOf($ref);
  if (type === 'array') return `array of ${describeType(items).replace(/^[a-z]+$/, '$&s')}`;
  const only = values.length === 1 ? ` ${JSON.stringify(values[0])}` : '';
  return `${[type].flat().join(' or ')}${only}${shownFormats[format] ?? ''}`;
}

const shownFormats: Readonly<Record<string, string>> = {
  uri: ' (URL)',
  'date-time': ' (RFC 3339)',
  email: ' (e-mail address)',
};

/** The parameters of an operation: in the query of GET, in the body of POST. */
export function parametersOf(document: PublishedDocument, operation: Operation): readonly Field[] {
  return [...queryOf(document, operation), ...bodyOf(document, operation)];
}

function queryOf(document: PublishedDocument, { parameters = [] }: Operation): readonly Field[] {
  const query = parameters.filter((one) => one.$ref === undefined && one.in === 'query');
  const properties = query.map(({ name, schema, description, example }) => {
    const described = description === undefined ? {} : { description };
    return [name, { ...schema, ...described, example }] as const;
  });
  return fieldsOf(document, {
    properties: Object.fromEntries(properties),
    required: query.filter(({ required }) => required === true).map(({ name }) => name),
  });
}

/** Of the example of a body. */
export function membersOf(example: unknown): Readonly<Record<string, unknown>> {
  return typeof example === 'object' && example !== null ? Object.fromEntries(Object.entries(example)) : {};
}

/** A required parameter has the value of the first example; a file is one in the multipart body only. */
function bodyOf(document: PublishedDocument, { requestBody }: Operation): readonly Field[] {
  const { content = {} } = requestBody ?? {};
  const files = fieldsOf(document, content['multipart/form-data']?.schema).filter(({ isFile }) => isFile);
  const [body] = Object.values(content);
  const values = membersOf(Object.values(body?.examples ?? {})[0]?.value);
  return fieldsOf(document, body?.schema).map((field) => ({
    ...field,
    example: field.isRequired ? values[field.name] : undefined,
    isFile: files.some(({ name }) => name === field.name),
  }));
}
