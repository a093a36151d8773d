import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

import { repositoryRoot } from '../../support/service.ts';
import type { Flow } from './flow.ts';
import type { RegisteredApplication, World } from './world.ts';

/** Client libraries in other languages. Each language has one program: `<program> <library> <flow>`. */
export interface Language {
  readonly name: string;
  /** Programs that must be installed on the machine. */
  readonly needs: readonly string[];
  /** Installs the libraries and returns the command that starts the program. */
  prepare(folder: string): Promise<readonly string[]>;
  readonly libraries: Readonly<Record<string, readonly Flow[]>>;
  /** The file that pins the versions of the libraries, and how it names one. */
  readonly manifest: string;
  readonly versionAfter: (library: string) => string;
}

const run = promisify(execFile);
const sources = (language: string) => join(import.meta.dirname, language);

const codeFlows = ['code + PKCE, confidential', 'code + PKCE, public', 'refresh'] as const;

export const languages: readonly Language[] = [
  {
    name: 'Python',
    needs: ['python3'],
    manifest: 'python/requirements.txt',
    versionAfter: (library) => `${library}==`,
    prepare: async (folder) => {
      const python = join(folder, 'bin/python');
      if (!existsSync(python)) await run('python3', ['-m', 'venv', folder]);
      await run(python, ['-m', 'pip', 'install', '--quiet', '-r', join(sources('python'), 'requirements.txt')]);
      return [python, join(sources('python'), 'clients.py')];
    },
    libraries: {
      authlib: [...codeFlows, 'client credentials', 'sign-in (OpenID Connect)'],
      'requests-oauthlib': [...codeFlows, 'client credentials'],
      'httpx-oauth': ['sign-in (OpenID Connect)'],
      'social-auth-core': ['sign-in (OpenID Connect)'],
      oic: ['sign-in (OpenID Connect)'],
    },
  },
  {
    name: 'Go',
    needs: ['go'],
    manifest: 'go/go.mod',
    versionAfter: (library) => `${library} v`,
    prepare: async (folder) => {
      const program = join(folder, 'clients');
      await run('go', ['build', '-o', program, '.'], { cwd: sources('go') });
      return [program];
    },
    libraries: {
      'golang.org/x/oauth2': [...codeFlows, 'client credentials', 'device'],
      'github.com/coreos/go-oidc/v3': ['sign-in (OpenID Connect)'],
      'github.com/zitadel/oidc/v3': ['sign-in (OpenID Connect)'],
    },
  },
  {
    name: 'Java',
    needs: ['java', 'mvn'],
    manifest: 'java/pom.xml',
    versionAfter: (library) => `<artifactId>${library}</artifactId>\n      <version>`,
    prepare: async (folder) => {
      const project = join(sources('java'), 'pom.xml');
      const classPath = join(folder, 'class-path');
      const build = ['dependency:build-classpath', `-Dmdep.outputFile=${classPath}`];
      await run('mvn', ['--quiet', '--batch-mode', '--file', project, ...build]);
      const libraries = readFileSync(classPath, 'utf8').trim();
      await run('javac', ['-cp', libraries, '-d', folder, join(sources('java'), 'Clients.java')]);
      return ['java', '-cp', `${libraries}:${folder}`, 'Clients'];
    },
    libraries: {
      'oauth2-oidc-sdk': ['code + PKCE, confidential', 'refresh', 'client credentials', 'sign-in (OpenID Connect)'],
      'scribejava-core': [...codeFlows, 'client credentials'],
      'google-oauth-client': [...codeFlows, 'client credentials'],
    },
  },
  {
    name: 'Rust',
    needs: ['cargo'],
    manifest: 'rust/Cargo.toml',
    versionAfter: (library) => `${library} = { version = "=`,
    prepare: async (folder) => {
      await run('cargo', ['build', '--quiet', '--locked', '--target-dir', folder], { cwd: sources('rust') });
      return [join(folder, 'debug/clients')];
    },
    libraries: {
      oauth2: [...codeFlows, 'client credentials', 'device'],
      openidconnect: ['sign-in (OpenID Connect)'],
    },
  },
];

export function versionOf({ manifest, versionAfter }: Language, library: string): string {
  const [, rest] = readFileSync(join(import.meta.dirname, manifest), 'utf8').split(versionAfter(library));
  const version = /^[\w.-]+/.exec(rest ?? '')?.[0];
  if (version === undefined) throw new Error(`${manifest} does not pin ${library}`);
  return version;
}

export async function isInstalled({ needs }: Pick<Language, 'needs'>): Promise<boolean> {
  const found = needs.map((program) => run('which', [program]).then(Boolean, () => false));
  return (await Promise.all(found)).every(Boolean);
}

export async function prepare(language: Language): Promise<readonly string[]> {
  const folder = join(repositoryRoot, 'node_modules/.cache/client-libraries', language.name);
  await mkdir(folder, { recursive: true });
  return await language.prepare(folder);
}

/** What a program prints. */
interface Message {
  /** URL that the person opens. */
  readonly open?: string;
  /** Code of a device that the person enters. */
  readonly device?: string;
  readonly access_token?: string;
  readonly name?: string;
}

export interface ProgramResult {
  readonly accessToken: string;
  /** The name of the person who signed in. */
  readonly name: string | undefined;
}

/** Runs a program, and plays its user. @throws Error with its output if it fails. */
export async function runProgram(
  [command = '', ...rest]: readonly string[],
  { world, application, library, flow }: RunOptions,
): Promise<ProgramResult> {
  const variables = {
    ISSUER: world.issuer,
    CLIENT_ID: application.id,
    CLIENT_SECRET: application.secret,
    REDIRECT_URI: world.redirectUri,
  };
  const program = spawn(command, [...rest, library, flow], { env: { ...process.env, ...variables } });
  let errors = '';
  program.stderr.on('data', (text) => (errors += String(text)));
  const closed = once(program, 'close');
  let result: ProgramResult | undefined;
  for await (const line of createInterface(program.stdout)) {
    const message = JSON.parse(line) as Message; // the programs are ours
    if (message.open !== undefined) program.stdin.write(`${(await world.consent(message.open)).href}\n`);
    if (message.device !== undefined) {
      await world.connectDevice(message.device);
      program.stdin.write('\n');
    }
    if (message.access_token !== undefined) result = { accessToken: message.access_token, name: message.name };
  }
  await closed;
  if (result === undefined) throw new Error(`${library}, ${flow}: ${errors}`);
  return result;
}

interface RunOptions {
  readonly world: World;
  readonly application: RegisteredApplication;
  readonly library: string;
  readonly flow: Flow;
}
