import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';

import { ConfigurationError } from './configuration-error.ts';

const shown = '[secret]';

/** Text that prints as `[secret]` in templates, JSON, the console and logs. */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the text. Call it only where the secret is used, and do not store the result. */
  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return shown;
  }

  toJSON(): string {
    return shown;
  }

  [inspect.custom](): string {
    return shown;
  }
}

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

/**
 * Parses the keys in `text`. The first encrypts and signs, all decrypt and verify.
 * @param source The variable or file that an error message names.
 * @throws ConfigurationError if a key is too short or repeated.
 */
export function parseSecretKeys(text: string, source = 'SECRET_KEYS'): readonly Secret[] {
  const problem = findSecretKeyProblem(text);
  if (problem !== undefined) throw new ConfigurationError([`${source}: ${problem}`]);
  return splitSecretKeys(text).map((key) => new Secret(key));
}

/**
 * Reads the keys of DATA_DIR/secret-keys. Creates the file with one random key if it does not exist; processes that
 * start at the same time get the same key.
 * @throws ConfigurationError if the file contains invalid keys.
 */
export async function loadSecretKeys(dataDir: string): Promise<readonly Secret[]> {
  const path = join(dataDir, 'secret-keys');
  const text = (await readExisting(path)) ?? (await createKeyFile(dataDir, path));
  return parseSecretKeys(text, path);
}

/** SECRET_KEYS where it is set, otherwise those of DATA_DIR, as `loadSecretKeys`. */
export async function resolveSecretKeys(settings: {
  readonly secretKeys: readonly Secret[] | undefined;
  readonly dataDir: string;
}): Promise<readonly Secret[]> {
  return settings.secretKeys ?? (await loadSecretKeys(settings.dataDir));
}

async function readExisting(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** link(2) fails if the name exists, and the linked file is complete, so that no process reads a partial key. */
async function createKeyFile(dataDir: string, path: string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const draft = join(dataDir, `secret-keys.${randomUUID()}`);
  await writeFile(draft, `${randomBytes(48).toString('base64url')}\n`, { flag: 'wx', mode: 0o600, flush: true });
  try {
    await link(draft, path);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return await readFile(path, 'utf8');
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
