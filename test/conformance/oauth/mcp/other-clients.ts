import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

import { vi } from 'vitest';

import { repositoryRoot } from '../../../support/service.ts';
import type { RegisteredApplication } from '../world.ts';

/** How a client can say who it is. */
export const identifications = ['registers itself', 'metadata document', 'pre-registered'] as const;

type Identification = (typeof identifications)[number];

/** What a client is given, and where its person is. */
export interface Encounter {
  readonly identification: Identification;
  readonly server: URL;
  readonly documentUrl: string;
  readonly application: RegisteredApplication;
  readonly redirectUri: string;
  /** The text of the post. */
  readonly message: string;
  /** The person opens the authorization request, signs in and consents; returns the callback. */
  readonly visit: (request: string) => Promise<URL>;
  readonly answered: (tool: string, text: string) => void;
}

/**
 * A client calls `users_is` and `post_create`. Then its access token is spoiled, and it calls `users_show`.
 * @returns the revision of the protocol that it speaks
 */
export type Use = (encounter: Encounter) => Promise<string>;

/** A client of the Model Context Protocol with an OAuth client of its own. */
export interface McpClient {
  readonly name: string;
  readonly version: string;
  readonly option?: string;
  /** Programs that must be installed on the machine. */
  readonly needs: readonly string[];
  readonly revision: string;
  /** When it begins with reading, and sends the person again when a tool needs more. Otherwise it asks for everything. */
  readonly stepsUp: readonly Identification[];
  /** Installs it in the folder. */
  readonly prepare: (folder: string) => Promise<Use>;
}

const run = promisify(execFile);
const sources = (language: string) => join(import.meta.dirname, language);

/** The version that a manifest pins. */
function pinned(manifest: string, after: string): string {
  const [, rest] = readFileSync(join(import.meta.dirname, manifest), 'utf8').split(after);
  return /^[\w.-]+/.exec(rest ?? '')?.[0] ?? '';
}

const newest = '2026-07-28';

const goSdk = 'github.com/modelcontextprotocol/go-sdk';
const inGo: McpClient = {
  name: goSdk,
  version: pinned('go/go.mod', `${goSdk} v`),
  needs: ['go'],
  revision: newest,
  stepsUp: identifications,
  prepare: async (folder) => {
    const program = join(folder, 'agent');
    await run('go', ['build', '-o', program, '.'], { cwd: sources('go') });
    return useProgram([program, goSdk]);
  },
};

const inPython = ['mcp', 'fastmcp'].map((name): McpClient => ({
  name,
  version: pinned('python/requirements.txt', `\n${name}==`),
  needs: ['python3'],
  revision: newest,
  stepsUp: identifications,
  prepare: async (folder) => {
    const python = join(folder, 'bin/python');
    if (!existsSync(python)) await run('python3', ['-m', 'venv', folder]);
    const requirements = join(sources('python'), 'requirements.txt');
    await run(python, ['-m', 'pip', 'install', '--quiet', '--no-compile', '-r', requirements]);
    return useProgram([python, join(sources('python'), 'agents.py'), name]);
  },
}));

const inRust: McpClient = {
  name: 'rmcp',
  version: pinned('rust/Cargo.toml', 'rmcp = { version = "='),
  needs: ['cargo'],
  revision: newest,
  stepsUp: identifications,
  prepare: async (folder) => {
    await run('cargo', ['build', '--quiet', '--locked', '--target-dir', folder], { cwd: sources('rust') });
    return useProgram([join(folder, 'debug/agent'), 'rmcp']);
  },
};

export const otherClients: readonly McpClient[] = [inGo, ...inPython, inRust];

export async function prepareClient({ needs, prepare }: McpClient): Promise<Use> {
  const folder = join(repositoryRoot, 'node_modules/.cache/mcp-clients', needs.join('-'));
  await mkdir(folder, { recursive: true });
  return await prepare(folder);
}

/** What our programs print. */
interface Message {
  /** URL that the person opens. The program reads the callback. */
  readonly open?: string;
  /** The same, but it listens at its redirect URI. */
  readonly visit?: string;
  readonly revision?: string;
  readonly tool?: string;
  readonly text?: string;
}

/** @throws Error with its output if it fails */
function useProgram([command = '', ...args]: readonly string[]): Use {
  return async ({ identification, server, documentUrl, application, redirectUri, message, visit, answered }) => {
    const variables = {
      ...{ MCP_URL: server.href, DOCUMENT_URL: documentUrl, REDIRECT_URI: redirectUri, MESSAGE: message },
      ...{ CLIENT_ID: application.id, CLIENT_SECRET: application.secret },
    };
    const program = spawn(command, [...args, identification], { env: { ...process.env, ...variables } });
    let errors = '';
    program.stderr.on('data', (text) => (errors += String(text)));
    const closed = once(program, 'close');
    let revision = '';
    for await (const line of createInterface(program.stdout)) {
      const printed = JSON.parse(line) as Message; // the programs are ours
      if (printed.open !== undefined) program.stdin.write(`${(await visit(printed.open)).href}\n`);
      if (printed.visit !== undefined) await followRedirect(await visit(printed.visit));
      if (printed.tool !== undefined) answered(printed.tool, printed.text ?? '');
      revision = printed.revision ?? revision;
    }
    const [exitCode] = await closed;
    if (exitCode !== 0) throw new Error(`${command}, ${identification}: ${errors}`);
    return revision;
  };
}

/** The browser of the person returns to the client, which may not listen yet. */
export async function followRedirect(callback: URL): Promise<void> {
  await vi.waitFor(async () => await fetch(callback), { timeout: 60_000, interval: 100 });
}
