import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { beforeAll, describe, expect, inject, test } from 'vitest';

import { eventually, findFreePort, repositoryRoot } from '../../support/service.ts';
import { isInstalled } from './programs.ts';
import { createPerson } from './world.ts';

/**
 * The programs of `examples/verify-tokens`, each with a token that is valid for its API and with others. Their libraries come
 * from registries, so only `pnpm test:long` runs them. Languages that are not installed are skipped.
 */
const isLong = process.env['OTHER_LANGUAGES'] === 'yes';
const run = promisify(execFile);
const sources = join(repositoryRoot, 'examples/verify-tokens');

interface Program {
  readonly name: string;
  readonly needs: readonly string[];
  /** Installs the libraries and returns the command. */
  readonly prepare: (folder: string) => Promise<readonly [string, ...string[]]>;
}

const programs: readonly Program[] = [
  {
    name: 'Python',
    needs: ['python3'],
    prepare: async (folder) => {
      const python = join(folder, 'bin/python');
      await run('python3', ['-m', 'venv', folder]);
      await run(python, ['-m', 'pip', 'install', '--quiet', 'pyjwt[crypto]==2.15.1']);
      return [python, join(sources, 'verify.py')];
    },
  },
  {
    name: 'Go',
    needs: ['go'],
    prepare: async (folder) => {
      const program = join(folder, 'verify');
      await run('go', ['build', '-o', program, '.'], { cwd: sources });
      return [program];
    },
  },
  {
    name: 'Java',
    needs: ['java', 'mvn'],
    prepare: async (folder) => {
      const classPath = join(folder, 'class-path');
      const build = ['dependency:build-classpath', `-Dmdep.outputFile=${classPath}`];
      await run('mvn', ['--quiet', '--batch-mode', '--file', join(sources, 'pom.xml'), ...build]);
      const libraries = readFileSync(classPath, 'utf8').trim();
      await run('javac', ['-cp', libraries, '-d', folder, join(sources, 'Verify.java')]);
      return ['java', '-cp', `${libraries}:${folder}`, 'Verify'];
    },
  },
  {
    name: 'PHP',
    needs: ['php', 'composer'],
    prepare: async (folder) => {
      await run('composer', ['require', '--quiet', '--working-dir', folder, 'firebase/php-jwt:^7.0']);
      return ['php', '-d', `auto_prepend_file=${join(folder, 'vendor/autoload.php')}`, join(sources, 'verify.php')];
    },
  },
];

const audience = 'https://notes.example.com/mcp';
let issuer: string;
let clientId: string;
let clientSecret: string;
let tokens: Readonly<Record<'valid' | 'foreign' | 'damaged' | 'revoked', string>>;
/** The security event of the revoked token. */
let event: string;

beforeAll(async () => {
  if (!isLong) return;
  issuer = inject('service').baseUrl;
  const { username, run: operate } = await createPerson(inject('service'));
  const owned = ['--owner', username, '--name', 'Notes'];
  const created = await operate(['app', 'create', ...owned, '--type', 'confidential', '--scope', 'users']);
  clientId = created.client_id ?? '';
  clientSecret = created.client_secret ?? '';
  const introspects = ['--client-id', clientId];
  const scope = ['--scope', 'notes:read Read your notes'];
  await operate(['api', 'create', ...owned, '--identifier', audience, ...scope, ...introspects]);
  const request = async (form: Readonly<Record<string, string>>): Promise<string> => {
    const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
    const body = new URLSearchParams({ grant_type: 'client_credentials', ...form });
    const response = await fetch(`${issuer}/oauth/token`, { method: 'POST', headers: { authorization }, body });
    return ((await response.json()) as { readonly access_token: string }).access_token; // RFC 6749 §5.1
  };
  const valid = await request({ resource: audience });
  const [foreign, revoked] = [await request({}), await request({ resource: audience })];
  tokens = { valid, foreign, damaged: valid.replace(/.{10}$/, 'AAAAAAAAAA'), revoked };
  event = await revokeAndPoll(foreign, revoked);
});

/** Revokes a token for the API; returns the event that the API gets. `own`: a token of its application. */
async function revokeAndPoll(own: string, token: string): Promise<string> {
  const call = async (path: string) => {
    const headers = { authorization: `Bearer ${own}`, 'content-type': 'application/json' };
    const response = await fetch(`${issuer}/oauth/ssf/${path}`, { method: 'POST', headers, body: '{}' });
    return (await response.json()) as { stream_id: string; sets: Readonly<Record<string, string>> }; // SSF, RFC 8936
  };
  const { stream_id: stream } = await call('stream');
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  const body = new URLSearchParams({ token });
  await fetch(`${issuer}/oauth/revoke`, { method: 'POST', headers: { authorization }, body });
  const [set = ''] = Object.values((await call(`poll/${stream}`)).sets);
  return set;
}

const cases = await Promise.all(
  programs.map(async (program) => {
    if (!isLong) return { ...program, title: `${program.name} (runs in pnpm test:long)`, isSkipped: true };
    const isSkipped = !(await isInstalled(program));
    return { ...program, title: isSkipped ? `${program.name} (not installed)` : program.name, isSkipped };
  }),
);

describe.each(cases)('$title', ({ name, prepare, isSkipped }) => {
  let command: readonly [string, ...string[]];
  beforeAll(async () => {
    if (isSkipped) return;
    const folder = join(repositoryRoot, 'node_modules/.cache/verify-tokens', name);
    await mkdir(folder, { recursive: true });
    command = await prepare(folder);
  }, 900_000);

  const verify = async (token: string, given: Readonly<Record<string, string>> = {}) => {
    const [program, ...words] = command;
    const env = { ...process.env, ISSUER: issuer, AUDIENCE: audience, TOKEN: token, ...given };
    return await run(program, words, { env });
  };

  test.skipIf(isSkipped)('accepts a token for the API', async () => {
    expect((await verify(tokens.valid)).stdout.trim()).toBe(`${clientId} ${clientId} notes:read`);
  });

  test.skipIf(isSkipped).each(['foreign', 'damaged'] as const)('refuses one that is %s', async (kind) => {
    await expect(verify(tokens[kind])).rejects.toThrow(/Command failed/);
  });

  test.skipIf(isSkipped || name === 'PHP')(
    'D207 refuses a revoked one by the status list, and by an event',
    async () => {
      await expect(verify(tokens.revoked)).rejects.toThrow(/revoked in the list/);
      await expect(verify(tokens.revoked, { EVENT: event })).rejects.toThrow(/revoked by an event/);
      expect((await verify(tokens.valid, { EVENT: event })).stdout).toContain(clientId);
      await expect(verify(tokens.valid, { EVENT: tokens.valid })).rejects.toThrow(/Command failed/);
    },
  );
});

const nginx = { program: '/usr/sbin/nginx', modules: '/usr/share/nginx/modules' };
const hasNginx = existsSync(nginx.program) && existsSync(`${nginx.modules}/ngx_http_js_module.so`);

/** The nginx of `introspect.conf`, in front of an API that answers with the headers it gets. */
async function startNginx(port: number): Promise<AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'linnet-nginx-'));
  const file = join(folder, 'introspect.conf');
  const api = `server { listen unix:${folder}/api; return 200 "$http_x_subject $http_x_scope"; }`;
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const temporary = paths.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ');
  const example = (await readFile(join(sources, 'introspect.conf'), 'utf8'))
    .replace('modules/', `${nginx.modules}/`)
    .replace('http {', `http { access_log off; ${temporary} ${api}`)
    .replace('listen 8080', `listen 127.0.0.1:${String(port)}`)
    .replace('127.0.0.1:9000', `unix:${folder}/api`);
  await writeFile(file, `daemon off;\nmaster_process off;\npid ${folder}/pid;\n${example}`);
  // It asks a DNS server even for localhost.
  const { host } = new URL(issuer);
  const script = await readFile(join(sources, 'introspect.njs'), 'utf8');
  await writeFile(join(folder, 'introspect.njs'), script.replace('headers: {', `headers: {\n Host: '${host}',`));
  const reachable = issuer.replace('localhost', '127.0.0.1');
  const credentials = { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret };
  const env = { ...process.env, ISSUER: reachable, AUDIENCE: audience, ...credentials };
  const child = spawn(nginx.program, ['-c', file, '-p', folder, '-e', 'stderr'], { env, stdio: 'inherit' });
  const exited = new Promise((resolve) => child.once('close', resolve));
  await eventually('nginx answers', async () => {
    if (child.exitCode !== null) throw new Error('nginx has ended');
    return await fetch(`http://127.0.0.1:${String(port)}/`).then(Boolean, () => false);
  });
  return {
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

const missing = hasNginx ? '' : ' (not installed)';

test.skipIf(!isLong || !hasNginx)(
  `nginx introspects tokens${isLong ? missing : ' (runs in pnpm test:long)'}`,
  async () => {
    const port = await findFreePort();
    await using _nginx = await startNginx(port);
    const ask = async (token?: string) => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const response = await fetch(`http://127.0.0.1:${String(port)}/notes`, { headers });
      return [response.status, response.headers.get('www-authenticate') ?? (await response.text())];
    };
    expect(await ask(tokens.valid)).toEqual([200, `${clientId} notes:read`]);
    const invalid = [401, 'Bearer error="invalid_token"'];
    expect([await ask(tokens.foreign), await ask(tokens.damaged), await ask()]).toEqual([
      invalid,
      invalid,
      [401, 'Bearer'],
    ]);
  },
);
