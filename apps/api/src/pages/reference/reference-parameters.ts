/** The parameters of an operation: in the query of GET, in the body of POST. */
import { fieldsOf } from './schema-fields.ts';
import type { Field } from './schema-fields.ts';
import type { Operation, PublishedDocument } from './published-document.ts';

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
