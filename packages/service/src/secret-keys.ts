import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { ConfigurationError } from './configuration-error.ts';
import { findSecretKeyProblem, splitSecretKeys } from './secret-key-text.ts';
import { Secret } from './secret.ts';

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
