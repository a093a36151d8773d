import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { eventually } from './service.ts';

/** A dex (https://github.com/dexidp/dex) of this machine. */
export interface Dex {
  readonly path: string;
  readonly version: string;
}

/** DEX_PATH, or the one on the path or where Go installs programs. Build it in its repository with `CGO_ENABLED=0 go build ./cmd/dex`. */
export async function findDex(): Promise<Dex | undefined> {
  for (const path of [process.env['DEX_PATH'] ?? 'dex', join(homedir(), 'go', 'bin', 'dex')]) {
    const { stdout } = await promisify(execFile)(path, ['version']).catch(() => ({ stdout: '' }));
    const version = /^Dex Version: (\S+)/.exec(stdout)?.[1];
    if (version !== undefined) return { path, version };
  }
  return undefined;
}

/** Somebody in dex's own list; the password is "password". */
export interface DexPerson {
  readonly username: string;
  readonly groups?: readonly string[];
  readonly isEmailVerified?: boolean;
}

interface DexOptions {
  readonly port: number;
  readonly client: { readonly id: string; readonly secret: string; readonly redirectUri: string };
  readonly people: readonly DexPerson[];
}

/** From dex's documentation. */
const hashOfPassword = '$2a$10$2b2cU8CPhOTaGrs1HRQuAueS7JTT5ZHsHSzYiFPm1leZck7Mc8T4W';

export const emailOf = ({ username }: DexPerson) => `${username}@example.org`;

/** Starts it with storage in memory. */
export async function startDex(dex: Dex, options: DexOptions): Promise<AsyncDisposable & { readonly issuer: string }> {
  await using started = new AsyncDisposableStack();
  const { port, client, people } = options;
  const issuer = `http://127.0.0.1:${String(port)}/dex`;
  const folder = await mkdtemp(join(tmpdir(), 'linnet-dex-'));
  started.defer(async () => await rm(folder, { recursive: true, force: true }));
  const configuration = {
    issuer,
    storage: { type: 'memory' },
    web: { http: `127.0.0.1:${String(port)}` },
    staticClients: [{ id: client.id, secret: client.secret, name: 'Linnet', redirectURIs: [client.redirectUri] }],
    enablePasswordDB: true,
    staticPasswords: people.map((person) => ({
      ...{ email: emailOf(person), username: person.username, userID: `id-of-${person.username}` },
      ...{ hash: hashOfPassword, groups: person.groups ?? [], emailVerified: person.isEmailVerified ?? true },
    })),
  };
  const file = join(folder, 'dex.json'); // JSON is YAML
  await writeFile(file, JSON.stringify(configuration));
  const child = spawn(dex.path, ['serve', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.on('data', (chunk) => (log += String(chunk)));
  const exited = once(child, 'exit');
  started.defer(async () => {
    child.kill();
    await exited;
  });
  await eventually('dex responds', async () => {
    if (child.exitCode !== null) throw new Error(`dex: ${log}`);
    return await fetch(`${issuer}/.well-known/openid-configuration`).then(
      ({ ok }) => ok,
      () => false,
    );
  });
  const owned = started.move();
  return { issuer, [Symbol.asyncDispose]: async () => await owned.disposeAsync() };
}
