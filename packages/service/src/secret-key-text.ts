const minLength = 16;
/** Random keys of 16 characters or more have more different ones, even in hexadecimal. */
const minDifferent = 8;

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

/**
 * Returns what is wrong with keys for production, or `undefined`: a key of few different characters can be guessed from
 * one signed link. Other problems are those of `findSecretKeyProblem`.
 */
export function findWeakSecretKey(keys: readonly string[]): string | undefined {
  const weak = keys.findIndex((key) => new Set(key).size < minDifferent);
  if (weak === -1) return undefined;
  return `must be random in production; key ${String(weak + 1)} has fewer than ${String(minDifferent)} different characters. Create one with: openssl rand -base64 48`;
}
