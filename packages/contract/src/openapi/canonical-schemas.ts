/**
 * The canonical form of every schema: one type each, in the subset of JSON Schema that code generators for OpenAPI read. The
 * server accepts more than the canonical form of a parameter, such as ids as strings of digits.
 */
interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly prefixItems?: readonly JsonSchema[];
  readonly items?: JsonSchema | false;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly format?: string;
  readonly maximum?: number;
}

const rules: readonly ((schema: JsonSchema) => JsonSchema)[] = [
  constantAsEnum,
  constantsAsEnum,
  tupleAsArray,
  nullableAsTypes,
  integerWithFormat,
];

/** Replaces every schema in a part of the document by its canonical form. The part contains no examples yet. */
export function canonicalize<Part>(part: Part): Part {
  return canonicalOf(part) as Part; // schemas become schemas, everything else stays
}

function canonicalOf(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(canonicalOf);
  if (typeof node !== 'object' || node === null) return node;
  // Members of a document that are no schemas have none of the keywords, so no rule applies to them.
  const members: JsonSchema = Object.fromEntries(Object.entries(node).map(([name, one]) => [name, canonicalOf(one)]));
  return rules.reduce((schema, apply) => apply(schema), members);
}

/** `const` is younger than many generators, and Java cannot compile what they make of a `number` with fixed values. */
function constantAsEnum(schema: JsonSchema): JsonSchema {
  const { const: value, ...rest } = schema;
  return value === undefined || typeof value === 'object' ? schema : { ...rest, type: typeOf(value), enum: [value] };
}

function typeOf(value: unknown): string {
  return typeof value === 'number' ? 'integer' : typeof value;
}

/** Alternatives of single values: one enum. */
function constantsAsEnum(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  if (anyOf === undefined || anyOf.some((one) => one.enum === undefined)) return schema;
  const values = anyOf.flatMap((one) => one.enum ?? []);
  return { type: typeOf(values[0]), ...rest, enum: values };
}

/** A tuple of equal items: an array of exactly so many. */
function tupleAsArray(schema: JsonSchema): JsonSchema {
  const { prefixItems, items: _items, ...rest } = schema;
  const [first] = prefixItems ?? [];
  if (prefixItems === undefined || first === undefined) return schema;
  return { ...rest, items: first, minItems: prefixItems.length, maxItems: prefixItems.length };
}

/** `anyOf` with null: two types, as OpenAPI 3.1 writes what may be null. */
function nullableAsTypes(schema: JsonSchema): JsonSchema {
  const { anyOf = [], ...rest } = schema;
  const [value, nothing, ...more] = anyOf;
  if (value?.type === undefined || nothing?.type !== 'null' || more.length > 0) return schema;
  return { ...rest, ...value, type: [value.type, 'null'].flat() };
}

/** Without a format, some languages read integers of 32 bits. */
function integerWithFormat(schema: JsonSchema): JsonSchema {
  return schema.type === 'integer' && schema.enum === undefined ? { ...schema, format: 'int64' } : schema;
}
