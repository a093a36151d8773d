interface Context {
  readonly jsonSchema: object;
}

/**
 * Metadata for a parser whose code cannot be translated to JSON Schema. Adds the members of `stated`, and
 * removes the less precise derived members: `anyOf` and those listed in `without`.
 */
export function documentAs(
  stated: Readonly<Record<string, unknown>>,
  without: readonly string[] = [],
): Record<'override', (context: Context) => void> {
  return {
    override: ({ jsonSchema }) => {
      for (const name of ['anyOf', ...without]) Reflect.deleteProperty(jsonSchema, name);
      Object.assign(jsonSchema, stated);
    },
  };
}
