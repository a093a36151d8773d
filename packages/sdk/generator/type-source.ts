import type { Schema } from './schema.ts';

const primitives: Readonly<Record<string, string>> = {
  integer: 'number',
  number: 'number',
  string: 'string',
  boolean: 'boolean',
  null: 'null',
};

/** The schema as a TypeScript type. @throws TypeError for an unknown type. */
export function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.replace(/.*\//, '');
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return union(choices.map(typeOf));
  if (schema.allOf !== undefined) return schema.allOf.map(typeOf).join(' & ');
  if (schema.format === 'binary') return 'Upload';
  return plainTypeOf(schema);
}

function plainTypeOf(schema: Schema): string {
  const { type } = schema;
  if (Object.keys(schema).length === 0) return 'unknown';
  if (Array.isArray(type)) return union(type.map((one: string) => typeOf({ ...schema, type: one })));
  if (type === 'object') return objectType(schema);
  if (type === 'array') return arrayType(schema);
  const primitive = primitives[String(type)];
  if (primitive === undefined) throw new TypeError(`no TypeScript for ${JSON.stringify(schema)}`);
  return primitive;
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll(/['\\]/g, '\\$&')}'` : JSON.stringify(value);
}

function arrayType({ items, minItems, maxItems }: Schema): string {
  if (items === undefined) throw new TypeError('an array without items');
  const type = typeOf(items);
  if (maxItems !== undefined && minItems === maxItems) return `readonly [${Array(maxItems).fill(type).join(', ')}]`;
  return /^\w+$/.test(type) ? `readonly ${type}[]` : `ReadonlyArray<${type}>`;
}

function objectType(schema: Schema): string {
  const { additionalProperties: others } = schema;
  if (typeof others === 'object') return `Readonly<Record<string, ${typeOf(others)}>>`;
  return `{\n${membersOf(schema)}}`;
}

/** The members of an object. Optional parameters also accept `undefined`. */
export function membersOf({ properties = {}, required = [] }: Schema, isParameters = false): string {
  return Object.entries(properties)
    .map(([name, property]) => {
      const isRequired = required.includes(name);
      const absent = !isRequired && isParameters ? ' | undefined' : '';
      return `${comment(property.description)}readonly ${name}${isRequired ? '' : '?'}: ${typeOf(property)}${absent};\n`;
    })
    .join('');
}

/** A doc comment with these paragraphs, or an empty string. */
export function comment(...paragraphs: readonly (string | undefined)[]): string {
  const text = paragraphs.filter((one) => one !== undefined && one !== '').join('\n\n');
  if (text === '') return '';
  const lines = text.replaceAll('*/', '*\\/').split('\n');
  if (lines.length === 1) return `/** ${lines.join('')} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}
