import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { ConfigurationError } from './configuration-error.ts';
import { findSecretKeyProblem, splitSecretKeys } from './secret-key-text.ts';
import { Secret } from './secret.ts';

/**
 * The keys in `text`: the first encrypts and signs, all decrypt and verify.
 * @throws ConfigurationError when one is too short or stands there twice; `source` begins the message.
 */
export function parseSecretKeys(text: string, source = 'SECRET_KEYS'): readonly Secret[] {
  const problem = findSecretKeyProblem(text);
  if (problem !== undefined) throw new ConfigurationError([`${source}: ${problem}`]);
  return splitSecretKeys(text).map((key) => new Secret(key));
}

/**
 * The keys of DATA_DIR/secret-keys, which is made with one random key when there is none. Several
 * processes that start at once end up with the same keys.
 * @throws ConfigurationError when the file holds no usable keys.
 */
export async function loadSecretKeys(dataDir: string): Promise<readonly Secret[]> {
  const path = join(dataDir, 'secret-keys');
  const text = (await readExisting(path)) ?? (await createKeyFile(dataDir, path));
  return parseSecretKeys(text, path);
}

async function readExisting(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** link(2) refuses an existing name, and the file it names is complete: no reader sees half a key. */
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
