import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';

import { eventually, repositoryRoot } from './service.ts';

/** The examples in docs/operations/proxies, with other ports and a certificate of the test, in front of two servers. */
export interface DocumentedProxy {
  readonly name: string;
  readonly program: string;
  readonly file: string;
  readonly args: (configuration: string, folder: string) => readonly string[];
  /** What the test changes of the example. */
  readonly adapt: (example: string, place: Place) => string;
}

export const documentedProxies: readonly DocumentedProxy[] = [
  {
    name: 'Caddy',
    program: '/usr/bin/caddy',
    file: 'Caddyfile',
    args: (configuration) => ['run', '--adapter', 'caddyfile', '--config', configuration],
    adapt: (example, { port, folder }) =>
      `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${example}`
        .replace('social.example.org', `https://localhost:${String(port)}`)
        .replace(/# Own certificate instead: .*/, `tls ${folder}/certificate.pem ${folder}/key.pem`),
  },
  {
    name: 'nginx',
    program: '/usr/sbin/nginx',
    file: 'nginx.conf',
    args: (configuration, folder) => ['-c', configuration, '-p', folder, '-e', 'stderr'],
    adapt: (example, { port, folder }) => {
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${folder}/${name};`,
      );
      const http = example
        .replace('listen 443', `listen 127.0.0.1:${String(port)}`)
        .replaceAll('/etc/linnet/tls', folder);
      const outside = `daemon off;\nmaster_process off;\npid ${folder}/pid;\nevents {}\n`;
      return `${outside}http {\naccess_log off;\n${temporary.join('\n')}\n${http}}\n`;
    },
  },
  {
    name: 'HAProxy',
    program: '/usr/sbin/haproxy',
    file: 'haproxy.cfg',
    args: (configuration) => ['-db', '-f', configuration],
    adapt: (example, { port, folder }) =>
      example.replace('bind :443', `bind 127.0.0.1:${String(port)}`).replace('/etc/linnet/tls', folder),
  },
];

/** Where a proxy listens, with the files of its certificate, and the ports of the two servers behind it. */
export interface Place {
  readonly port: number;
  /** Contains `certificate.pem`, `key.pem` and `haproxy.pem`. */
  readonly folder: string;
  readonly auth: number;
  readonly api: number;
}

/** Starts a proxy of the documentation, and waits until both servers can be reached through it. */
export async function startDocumentedProxy(proxy: DocumentedProxy, place: Place): Promise<AsyncDisposable> {
  const example = await readFile(join(repositoryRoot, 'docs/operations/proxies', proxy.file), 'utf8');
  const configuration = join(place.folder, proxy.file);
  const content = proxy
    .adapt(example, place)
    .replaceAll('127.0.0.1:3001', `127.0.0.1:${String(place.auth)}`)
    .replaceAll('127.0.0.1:3002', `127.0.0.1:${String(place.api)}`);
  await writeFile(configuration, content);
  const env = { ...process.env, XDG_DATA_HOME: place.folder, XDG_CONFIG_HOME: place.folder };
  const args = proxy.args(configuration, place.folder);
  const child = spawn(proxy.program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stderr.on('data', (chunk) => (output += String(chunk)));
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await eventually(`${proxy.name} serves`, async () => {
    if (child.exitCode !== null) throw new Error(output);
    const paths = ['/oauth/jwks', '/api/v2.0/openapi.json'];
    const responses = await Promise.all(paths.map(async (path) => await sendThrough(place, path)));
    return responses.every(({ status }) => status === 200);
  });
  return {
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

export interface SendOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The client's address. */
  readonly from?: string;
  /** The body, sent one after the other. */
  readonly parts?: readonly (string | Buffer)[];
}

export interface Sent {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** A request over HTTPS to a proxy. Status 0: it closed the connection without a response. */
export async function sendThrough({ port }: Place, path: string, options: SendOptions = {}): Promise<Sent> {
  const { method = 'GET', headers = {}, from = '127.0.0.1', parts = [] } = options;
  return await new Promise((resolve) => {
    const fail = () => resolve({ status: 0, headers: {}, body: '' });
    // The certificate is the test's own.
    const where = {
      host: '127.0.0.1',
      port,
      path,
      localAddress: from,
      servername: 'localhost',
      rejectUnauthorized: false,
    };
    const all = { host: `localhost:${String(port)}`, accept: 'application/json', ...headers };
    const outgoing = request({ ...where, method, headers: all, agent: false });
    outgoing.on('response', (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (body += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
      response.on('error', fail);
    });
    outgoing.on('error', fail);
    for (const part of parts) outgoing.write(part);
    outgoing.end();
  });
}

/** A GET over HTTPS to a proxy, whose response stays open. Disposal closes the connection. */
export function openThrough(
  { port }: Place,
  path: string,
  headers: Readonly<Record<string, string>>,
): Disposable & { readonly text: () => string } {
  let text = '';
  const where = { host: '127.0.0.1', port, path, servername: 'localhost', rejectUnauthorized: false, agent: false };
  const outgoing = request({ ...where, headers: { host: `localhost:${String(port)}`, ...headers } });
  outgoing.on('response', (response) => {
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => (text += chunk));
    response.on('error', () => undefined);
  });
  outgoing.on('error', () => undefined);
  outgoing.end();
  return { text: () => text, [Symbol.dispose]: () => outgoing.destroy() };
}
