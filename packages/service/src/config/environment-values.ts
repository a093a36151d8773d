/** Where the value of a variable comes from: the environment, a file, or a credential of systemd. */

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { Secret } from './secret.ts';

/** The type of `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Variables with secrets. Each can be in a file instead: `<name>_FILE`, or `CREDENTIALS_DIRECTORY/<name>` (systemd). */
const secretVariables: ReadonlySet<string> = new Set([
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_REPLICA_URL',
  'CACHE_URL',
  'SECRET_KEYS',
  'SMTP_URL',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'SIGN_IN_PROVIDERS',
]);

/** One variable that is set. */
export interface FoundValue {
  readonly text: string;
  readonly source: 'environment' | 'file' | 'credential';
  /** Of the file or credential. */
  readonly path?: string;
}

/** The values of the variables that are set, and what is wrong with their files: `NAME_FILE: …`. */
export interface FoundValues {
  readonly values: ReadonlyMap<string, FoundValue>;
  readonly problems: readonly string[];
}

/** Finds the values of the variables `names`. An empty variable or file counts as unset. */
export function findValues(names: readonly string[], env: Environment): FoundValues {
  const values = new Map<string, FoundValue>();
  const problems: string[] = [];
  for (const name of names) {
    try {
      const found = findValue(name, env);
      if (found !== undefined && found.text !== '') values.set(name, found);
    } catch (error) {
      if (!(error instanceof UnusableFile)) throw error;
      problems.push(error.message);
    }
  }
  return { values, problems };
}

export function isSecretVariable(name: string): boolean {
  return secretVariables.has(name);
}

/** @throws Error if a variable has become a secret, but cannot be in a file. */
export function requireSecretsListed(parsed: Readonly<Record<string, unknown>>): void {
  const missing = Object.entries(parsed).find(([name, value]) => hasSecret(value) && !isSecretVariable(name));
  if (missing !== undefined) throw new Error(`${missing[0]} is a secret: add it to secretVariables`);
}

function hasSecret(value: unknown): boolean {
  return [value].flat().some((one) => one instanceof Secret);
}

class UnusableFile extends Error {}

function findValue(name: string, env: Environment): FoundValue | undefined {
  const text = env[name] ?? '';
  const fileVariable = `${name}_FILE`;
  const file = isSecretVariable(name) ? (env[fileVariable] ?? '') : '';
  if (text !== '' && file !== '') throw new UnusableFile(`${fileVariable}: set either ${name} or ${fileVariable}`);
  if (text !== '') return { text, source: 'environment' };
  if (file !== '') return { text: readSecret(file, fileVariable), source: 'file', path: file };
  return isSecretVariable(name) ? findCredential(name, env) : undefined;
}

/** https://systemd.io/CREDENTIALS: `LoadCredential=SECRET_KEYS:/etc/linnet/secret-keys`. */
function findCredential(name: string, env: Environment): FoundValue | undefined {
  const directory = env['CREDENTIALS_DIRECTORY'] ?? '';
  if (directory === '') return undefined;
  const path = join(directory, name);
  try {
    return { text: readSecret(path, name), source: 'credential', path };
  } catch (error) {
    if (error instanceof UnusableFile && Reflect.get(Object(error.cause), 'code') === 'ENOENT') return undefined;
    throw error;
  }
}

/** Without the line feed at the end. */
function readSecret(path: string, variable: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnusableFile(`${variable}: the file cannot be read (${reason})`, { cause: error });
  }
}

/** The directory that holds the installation, whatever the working directory is: the root of a checkout, or of the files of a release. */
export const installationDirectory = findInstallation(import.meta.dirname);

/** @param directory Of this module, or of the bundle: `…/packages/cli/dist` in a checkout, `…/dist` in a release. */
export function findInstallation(directory: string): string {
  const checkout = /^(.+)[/\\]packages[/\\](?:service[/\\]src[/\\]config|cli[/\\]dist)$/.exec(directory)?.[1];
  return checkout ?? dirname(directory);
}
