import { z } from 'zod';
import type { oas31 } from 'zod-openapi';

type Schema = oas31.SchemaObject | oas31.ReferenceObject;

interface Derived {
  readonly zodSchema: z.core.$ZodType;
  readonly jsonSchema: z.core.JSONSchema.BaseSchema;
}

/**
 * Corrects a schema that was derived from a parser. Response objects may gain members within v2.0
 * (decisions D55), so none is closed. Examples and defaults are restored, because zod omits them when the
 * parser transforms its input.
 */
export function correctSchema({ zodSchema, jsonSchema }: Derived): void {
  if (jsonSchema.additionalProperties === false) Reflect.deleteProperty(jsonSchema, 'additionalProperties');
  const { examples } = z.globalRegistry.get(zodSchema) ?? {};
  if (Array.isArray(examples)) Object.assign(jsonSchema, { examples });
  if (zodSchema instanceof z.ZodDefault) Object.assign(jsonSchema, { default: zodSchema.def.defaultValue });
}

/** A list is sent as one value, with commas between its items. */
const joined = { style: 'form', explode: false } as const;

/**
 * Copies the description of a schema to its parameter, and says how a list is sent, because zod-openapi omits both for optional
 * ones.
 */
export function describeParameters({ paths = {} }: oas31.OpenAPIObject): void {
  for (const parameter of Object.values(paths).flatMap(({ get }) => get?.parameters ?? [])) {
    if (!('in' in parameter) || parameter.schema?.description === undefined) continue;
    parameter.description ??= parameter.schema.description;
    if (isList(parameter.schema)) Object.assign(parameter, joined);
  }
}

/**
 * Turns the body schema of each POST into a named component that its content types share. A parameter that may be a file is
 * a file in the multipart body and text in the other types; the server accepts text in a multipart body as well.
 */
export function nameBodies(document: oas31.OpenAPIObject): void {
  const schemas = new Map<string, Schema>();
  for (const { post } of Object.values(document.paths ?? {})) {
    if (post?.requestBody === undefined || !('content' in post.requestBody)) continue;
    const name = bodyName(post);
    for (const [type, media] of Object.entries(post.requestBody.content)) {
      if (media.schema === undefined) throw new TypeError(`${name}: the body has no schema`);
      if (type === 'application/x-www-form-urlencoded') joinLists(media);
      const [component, schema] = nameBody(name, type, media.schema);
      schemas.set(component, schema);
      media.schema = { $ref: `#/components/schemas/${component}` };
    }
  }
  const { components = {} } = document;
  components.schemas = { ...components.schemas, ...Object.fromEntries(schemas) };
}

function joinLists(media: oas31.MediaTypeObject): void {
  const lists = Object.entries(propertiesOf(media.schema ?? {})).filter(([, property]) => isList(property));
  if (lists.length > 0) media.encoding = Object.fromEntries(lists.map(([name]) => [name, joined]));
}

function isList(schema: Schema): boolean {
  return 'type' in schema && schema.type === 'array';
}

function bodyName({ operationId }: oas31.OperationObject): string {
  if (operationId === undefined) throw new TypeError('the operation has no id');
  return operationId.replace(/^./, (letter) => letter.toUpperCase());
}

function nameBody(name: string, type: string, schema: Schema): [component: string, schema: Schema] {
  return type === 'multipart/form-data' && hasFile(schema)
    ? [`${name}Multipart`, withFiles(schema, true)]
    : [`${name}Body`, withFiles(schema, false)];
}

function isFile(schema: Schema): boolean {
  return 'format' in schema && schema.format === 'binary';
}

function alternatives(schema: Schema): readonly Schema[] {
  return 'anyOf' in schema ? (schema.anyOf ?? []) : [];
}

function propertiesOf(schema: Schema): Readonly<Record<string, Schema>> {
  return 'properties' in schema ? (schema.properties ?? {}) : {};
}

function hasFile(schema: Schema): boolean {
  return Object.values(propertiesOf(schema)).some((property) => alternatives(property).some(isFile));
}

/** With the alternative of each parameter that is a file, or with the one that is not. */
function withFiles(schema: Schema, areFiles: boolean): Schema {
  if (!hasFile(schema)) return schema;
  const choose = (property: Schema) => chooseAlternative(property, (one) => isFile(one) === areFiles);
  const properties = Object.entries(propertiesOf(schema)).map(([name, property]) => [name, choose(property)] as const);
  return { ...schema, properties: Object.fromEntries(properties) };
}

function chooseAlternative(property: Schema, isWanted: (one: Schema) => boolean): Schema {
  const kept = alternatives(property).filter(isWanted);
  const { anyOf: _anyOf, ...rest } = { anyOf: undefined, ...property };
  return kept.length === 1 ? { ...kept[0], ...rest } : property;
}
