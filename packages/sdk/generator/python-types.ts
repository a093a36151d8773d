/** Turns schemas into Python types: `TypedDict` classes for objects, and annotations. */
import type { Schema } from './schema.ts';
import { capitalize } from './call-model.ts';
import { docstring, isKeyword, literal } from './python-text.ts';

const primitives: Readonly<Record<string, string>> = {
  integer: 'int',
  number: 'float',
  string: 'str',
  boolean: 'bool',
  null: 'None',
};

interface Member {
  readonly name: string;
  readonly type: string;
  readonly description: string | undefined;
}

/** The classes of a module. Objects within objects get classes of their own, named after their place. */
export interface PythonTypes {
  /** Adds a class for an object and returns its name. @throws TypeError if the name is taken */
  addClass(name: string, schema: Schema, description?: string): string;
  /** An annotation for the values of a response; `name` is for the classes it needs. */
  annotate(schema: Schema, name: string): string;
  /** The classes, in an order in which each follows those that it needs. */
  readonly sources: readonly string[];
}

export function createPythonTypes(): PythonTypes {
  const names = new Set<string>();
  const sources: string[] = [];

  function addClass(name: string, schema: Schema, description = schema.description): string {
    if (names.has(name)) throw new TypeError(`two classes ${name}`);
    names.add(name);
    const { properties = {}, required = [] } = schema;
    const members = Object.entries(properties).map(([member, property]) => {
      const type = annotate(property, `${name}${pascalCase(member)}`);
      const isRequired = required.includes(member);
      return { name: member, type: isRequired ? type : `NotRequired[${type}]`, description: property.description };
    });
    sources.push(classSource(name, members, description));
    return name;
  }

  function annotate(schema: Schema, name: string): string {
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices !== undefined) return union(choices.map((one) => annotate(one, name)));
    if (schema.$ref !== undefined) return schema.$ref.replace(/.*\//, '');
    if (schema.enum !== undefined) return `Literal[${schema.enum.map(literal).join(', ')}]`;
    if (schema.type === 'array') return `list[${annotate(itemsOf(schema), `${name}Item`)}]`;
    if (schema.type !== 'object') return scalar(schema);
    const { additionalProperties: others } = schema;
    return typeof others === 'object' ? `dict[str, ${annotate(others, `${name}Value`)}]` : addClass(name, schema);
  }

  return { addClass, annotate, sources };
}

/** An annotation for a parameter, which may be a file or any sequence. */
export function annotateParameter(schema: Schema): string {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return union(choices.map(annotateParameter));
  if (schema.format === 'binary') return 'Upload';
  if (schema.enum !== undefined) return `Literal[${schema.enum.map(literal).join(', ')}]`;
  if (schema.type === 'array') return `Sequence[${annotateParameter(itemsOf(schema))}]`;
  return scalar(schema);
}

function itemsOf({ items }: Schema): Schema {
  if (items === undefined) throw new TypeError('an array without items');
  return items;
}

function scalar({ type }: Schema): string {
  const types = (Array.isArray(type) ? type : [type]).map((one) => primitives[String(one)]);
  if (types.includes(undefined)) throw new TypeError(`no Python for the type ${JSON.stringify(type)}`);
  return union(types.map(String));
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}

function pascalCase(name: string): string {
  return name.split('_').map(capitalize).join('');
}

/** Python has two ways to write the class. Only the second one has members whose names are keywords, such as `finally`. */
function classSource(name: string, members: readonly Member[], description: string | undefined): string {
  if (members.some((member) => isKeyword(member.name))) return callSource(name, members, description);
  const lines = members.flatMap((member) => [
    `    ${member.name}: ${member.type}`,
    ...docstring([member.description], '    '),
  ]);
  const head = docstring([description], '    ');
  return `class ${name}(TypedDict):\n${[...head, ...(head.length === 0 ? [] : ['']), ...lines].join('\n')}\n`;
}

function callSource(name: string, members: readonly Member[], description: string | undefined): string {
  const lines = members.map((member) => `        ${literal(member.name)}: ${literal(member.type)},`);
  const head = description === undefined ? '' : `# ${description}\n`;
  return `${head}${name} = TypedDict(\n    ${literal(name)},\n    {\n${lines.join('\n')}\n    },\n)\n`;
}
