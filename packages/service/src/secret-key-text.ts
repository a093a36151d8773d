const minLength = 16;

/** Splits SECRET_KEYS or the contents of DATA_DIR/secret-keys: keys are separated by commas; whitespace is trimmed. */
export function splitSecretKeys(text: string): string[] {
  return text.split(',').map((key) => key.trim());
}

/** Returns what is wrong with the keys, or `undefined`. The text never contains a key. */
export function findSecretKeyProblem(text: string): string | undefined {
  const keys = splitSecretKeys(text);
  const short = keys.findIndex((key) => key.length < minLength);
  if (short !== -1) {
    return `must be a comma-separated list of keys of at least ${String(minLength)} characters; key ${String(short + 1)} is too short`;
  }
  if (new Set(keys).size < keys.length) return 'must not contain the same key twice';
  return undefined;
}
