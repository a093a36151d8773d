import { Ajv2020 } from 'ajv/dist/2020.js';

/** Where a value differs from a JSON Schema (2020-12). Keywords that the standard does not have are ignored. */
export function findSchemaFaults(schema: object, value: unknown): readonly string[] {
  const validator = new Ajv2020({ allErrors: true });
  validator.validate(schema, value);
  return (validator.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
}
