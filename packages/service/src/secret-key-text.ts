const minLength = 16;

/** The keys of SECRET_KEYS or of DATA_DIR/secret-keys: separated by commas, white space around them ignored. */
export function splitSecretKeys(text: string): string[] {
  return text.split(',').map((key) => key.trim());
}

/** What is wrong with the keys, or undefined. Never shows a key. */
export function findSecretKeyProblem(text: string): string | undefined {
  const keys = splitSecretKeys(text);
  const short = keys.findIndex((key) => key.length < minLength);
  if (short !== -1) {
    return `must be keys of at least ${String(minLength)} characters separated by commas; key ${String(short + 1)} is shorter`;
  }
  if (new Set(keys).size < keys.length) return 'must not hold the same key twice';
  return undefined;
}
