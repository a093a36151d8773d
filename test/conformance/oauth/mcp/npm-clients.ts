import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

import { installPackages } from '../../generated/installing.ts';
import { followRedirect, identifications } from './other-clients.ts';
import type { Encounter, McpClient, Use } from './other-clients.ts';

/** Whole programs: they open a browser, listen at a loopback address, and keep tokens in files. */

const calls = ({ message }: Encounter) =>
  [
    ['users_is', { id: 1 }],
    ['post_create', { message }],
    ['users_show', {}],
  ] as const;

/** The options that say who a program is. */
type Identify = (encounter: Encounter) => readonly string[];

interface Running {
  readonly program: ChildProcessWithoutNullStreams;
  /** Its standard output, by lines. */
  readonly lines: AsyncIterable<string>;
  /** @throws Error with what it printed if it failed */
  readonly ended: () => Promise<void>;
}

/** Starts a program; the person opens each authorization request that it prints. It finds no browser to open. */
function start(args: readonly string[], home: string, { visit }: Encounter): Running {
  const env = { HOME: home, PATH: dirname(process.execPath), MCP_AUTO_OPEN_ENABLED: 'true' };
  const program = spawn(process.execPath, args, { env: { ...env, MCP_INSPECTOR_SECRET_STORE: 'file' } });
  const closed = once(program, 'close');
  const printed: string[] = [];
  const visits: Promise<void>[] = [];
  createInterface(program.stderr).on('line', (line) => {
    printed.push(line);
    const [request] = /http\S+\/oauth\/authorize\?\S+/.exec(line) ?? [];
    if (request !== undefined) visits.push(visit(request).then(followRedirect));
  });
  const ended = async () => {
    const [exitCode] = await closed;
    await Promise.all(visits);
    if (exitCode !== 0) throw new Error(`${args.join(' ')}: ${printed.join('\n')}`);
  };
  return { program, lines: createInterface(program.stdout), ended };
}

interface Result {
  readonly content: readonly { readonly text: string }[];
  /** Only the newest revision says in each result who the server is. */
  readonly _meta?: object;
}

const revisionOf = ({ _meta }: Result): string => (_meta === undefined ? '2025-11-25' : '2026-07-28');
const textOf = ({ content }: Result): string => content.map(({ text }) => text).join('');

/** @throws Error if there is nothing to spoil */
async function spoil(home: string, pattern: string, token: RegExp): Promise<void> {
  for await (const file of glob(join(home, pattern))) {
    const kept = await readFile(file, 'utf8');
    const spoiled = kept.replace(token, '$1expired');
    if (spoiled === kept) throw new Error(`no access token in ${file}: ${kept}`);
    await writeFile(file, spoiled);
    return;
  }
  throw new Error(`no ${pattern}`);
}

/** In a home of its own. */
function inHome(use: (encounter: Encounter, home: string) => Promise<string>): Use {
  return async (encounter) => {
    const home = await mkdtemp(join(tmpdir(), 'linnet-mcp-'));
    try {
      return await use(encounter, home);
    } finally {
      await rm(home, { recursive: true });
    }
  };
}

const identifyInspector: Identify = ({ identification, documentUrl, application: { id, secret } }) => {
  if (identification === 'metadata document') return ['--client-metadata-url', documentUrl];
  return identification === 'pre-registered' ? ['--client-id', id, '--client-secret', secret] : [];
};

/** One process for each call. */
const useInspector = (program: string, era: string): Use =>
  inHome(async (encounter, home) => {
    const { server, redirectUri, answered } = encounter;
    const place = ['--server-url', server.href, '--callback-url', redirectUri, '--protocol-era', era];
    const args = [program, '--cli', ...place, ...identifyInspector(encounter), '--format', 'json'];
    let revision = '';
    for (const [tool, parameters] of calls(encounter)) {
      if (tool === 'users_show') await spoil(home, '.mcp-inspector/secrets.json', /(access_token\\":\\")[^"\\]+/);
      const call = ['--method', 'tools/call', '--tool-name', tool, '--tool-args-json', JSON.stringify(parameters)];
      const { program: inspector, lines, ended } = start([...args, ...call], home, encounter);
      inspector.stdin.end('y\n'); // it asks before it asks for another scope
      let output = '';
      for await (const line of lines) output += line;
      await ended();
      const { result } = JSON.parse(output) as { result: Result };
      answered(tool, textOf(result));
      revision = revisionOf(result);
    }
    return revision;
  });

const identifyRemote: Identify = ({ identification, documentUrl, application: { id, secret } }) => {
  if (identification === 'metadata document') return ['--client-metadata-url', documentUrl];
  if (identification === 'registers itself') return [];
  return ['--static-oauth-client-info', JSON.stringify({ client_id: id, client_secret: secret })];
};

const handshake = {
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'host', version: '1.0.0' } },
};

/** One process between a host that knows no OAuth and the server. */
const useRemote = (program: string, protocol: string): Use =>
  inHome(async (encounter, home) => {
    const { hostname, port, pathname } = new URL(encounter.redirectUri);
    const place = [encounter.server.href, port, '--host', hostname, '--callback-path', pathname];
    const args = [program, ...place, '--protocol', protocol, ...identifyRemote(encounter)];
    const { program: remote, lines, ended } = start(args, home, encounter);
    const say = (message: object) => remote.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const answers = lines[Symbol.asyncIterator]();
    const ask = async (id: number, message: object): Promise<Result> => {
      say({ id, ...message });
      const { value = '' } = (await answers.next()) as { value?: string };
      if (value === '') await ended();
      return (JSON.parse(value) as { result: Result }).result;
    };
    await ask(0, handshake);
    say({ method: 'notifications/initialized' });
    let revision = '';
    for (const [index, [tool, parameters]] of calls(encounter).entries()) {
      if (tool === 'users_show') await spoil(home, '.mcp-auth/*/*_tokens.json', /("access_token": ?")[^"]+/);
      const params = { name: tool, arguments: parameters };
      const result = await ask(index + 1, { method: 'tools/call', params });
      encounter.answered(tool, textOf(result));
      revision = revisionOf(result);
    }
    remote.stdin.end();
    await ended();
    return revision;
  });

const asPackage = (name: string, version: string, program: string) => ({
  name,
  version,
  needs: ['npm'],
  install: async (folder: string) =>
    join(await installPackages(join(folder, `${program} ${version}`), [`${name}@${version}`]), program),
});

const inspectorPackage = asPackage('@modelcontextprotocol/inspector', '2.12.0', 'mcp-inspector');
const remotePackage = asPackage('mcp-remote', '0.15.1', 'mcp-remote');

export const npmClients: readonly McpClient[] = [
  ...(['modern', 'legacy'] as const).map((era) => ({
    ...inspectorPackage,
    option: `--protocol-era ${era}`,
    revision: era === 'modern' ? '2026-07-28' : '2025-11-25',
    stepsUp: era === 'modern' ? (['metadata document', 'pre-registered'] as const) : [],
    prepare: async (folder: string) => useInspector(await inspectorPackage.install(folder), era),
  })),
  ...(['auto', 'legacy'] as const).map((protocol) => ({
    ...remotePackage,
    option: `--protocol ${protocol}`,
    revision: protocol === 'auto' ? '2026-07-28' : '2025-11-25',
    stepsUp: identifications,
    prepare: async (folder: string) => useRemote(await remotePackage.install(folder), protocol),
  })),
];
