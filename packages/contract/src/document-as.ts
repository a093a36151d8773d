interface Context {
  readonly jsonSchema: object;
}

/**
 * Metadata that states in JSON Schema what a parser does in code and cannot be read off it: `stated` is
 * added, and what was derived gives way where it says less (`anyOf`, and what `without` names).
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
