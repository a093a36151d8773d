import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Socket as NameSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createWebServer } from 'node:https';
import type { RequestListener } from 'node:http';
import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';

import { generate } from 'selfsigned';

import { findFreePort, linnet, repositoryRoot } from './service.ts';

/** A globally routable address, which exists only inside the network. */
export const publicAddress = '93.184.215.14';
/** Addresses of its own that must not be fetched from; `lo` has 127.0.0.1. */
export const privateAddresses = ['10.0.0.1', '169.254.169.254', '192.168.1.1'];

/**
 * Makes the network: `lo` is up and has the addresses, and names are asked there. The program inside passes its listening
 * sockets to this process, and connects what this process passes to the service.
 */
const addAddresses = [publicAddress, ...privateAddresses].map((address) => `ip address add ${address}/32 dev lo`);
const enter = ['ip link set lo up', ...addAddresses, 'mount --bind "$0" /etc/resolv.conf', 'exec "$@"'].join(' && ');
const inside = `
  const { connect, createServer } = require('node:net');
  const [service, database] = process.argv.slice(1).map(Number);
  process.on('message', (_, socket) => {
    const upstream = connect(service, '127.0.0.1');
    for (const [from, to] of [[socket, upstream], [upstream, socket]]) from.pipe(to), from.on('error', () => to.destroy());
  });
  process.on('disconnect', () => process.exit());
  const pass = (name, socket) => process.send(name, socket, () => socket.close());
  const web = createServer().listen(443, '0.0.0.0', () => pass('web', web));
  const data = createServer().listen(database, '127.0.0.1', () => pass('database', data));
  const names = require('node:dgram').createSocket('udp4').bind(53, '127.0.0.1', () => pass('names', names));
`;

/** Why there can be no such network here; undefined if there can. */
export function findNetworkObstacle(): string | undefined {
  const tried = spawnSync('unshare', ['-nm', 'sh', '-c', enter, '/etc/hostname', 'true'], { encoding: 'utf8' });
  return tried.status === 0 ? undefined : (tried.error?.message ?? tried.stderr.trim());
}

/** A network without any way out, in which a service runs as in production. */
export interface OwnNetwork extends AsyncDisposable {
  /** `linnet start` in this network, for `startService`. */
  readonly command: readonly string[];
  readonly env: Readonly<Record<'BASE_URL' | 'NODE_EXTRA_CA_CERTS' | 'PORT' | 'TRUST_PROXY', string>>;
  /** The certificate of both https servers. */
  readonly certificate: string;
}

interface OwnNetworkOptions {
  readonly databaseUrl: string;
  /** The names that the certificate of all addresses is for. */
  readonly names: readonly string[];
  /** The addresses of a name. */
  readonly resolve: (name: string) => readonly string[];
  /** Answers https requests to any address. */
  readonly serve: RequestListener;
}

export async function startOwnNetwork({ databaseUrl, names, resolve, serve }: OwnNetworkOptions): Promise<OwnNetwork> {
  await using cleanup = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'linnet-network-'));
  cleanup.defer(async () => await rm(folder, { recursive: true }));
  const altNames = ['localhost', ...names].map((value) => ({ type: 2 as const, value }));
  const extensions = [{ name: 'subjectAltName' as const, altNames }];
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], { extensions });
  const certificateFile = join(folder, 'certificate.pem');
  await writeFile(certificateFile, cert);
  const resolverFile = join(folder, 'resolv.conf');
  await writeFile(resolverFile, 'nameserver 127.0.0.1\n');

  const port = await findFreePort();
  const databasePort = Number(new URL(databaseUrl).port);
  const program = [process.execPath, '-e', inside, String(port), String(databasePort)];
  const child = spawn('unshare', ['-nm', 'sh', '-c', enter, resolverFile, ...program], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  cleanup.defer(async () => await stop(child));
  const web = createWebServer({ cert, key }, serve);
  const passed = await receive(child);
  passed.web.on('connection', (socket) => web.emit('connection', socket));
  passed.database.on('connection', (socket) => connectSockets(socket, connect(databasePort, '127.0.0.1')));
  passed.names.on('message', (query, { port: asking }) =>
    passed.names.send(answer(query, resolve), asking, '127.0.0.1'),
  );
  const front = createServer({ pauseOnConnect: true }, (socket) => child.send('socket', socket));
  front.listen(port, '127.0.0.1');
  const secure = createTlsServer({ cert, key }, (socket) => connectSockets(socket, connect(port, '127.0.0.1')));
  secure.listen(0, '127.0.0.1');
  await once(secure, 'listening');
  cleanup.defer(() => {
    for (const server of [front, secure, passed.web, passed.database, passed.names]) server.close();
    web.closeAllConnections();
  });
  const running = cleanup.move();
  const address = secure.address();
  return {
    command: ['nsenter', '-t', String(child.pid), '-n', '-m', `--wd=${repositoryRoot}`, ...linnet, 'start'],
    env: {
      BASE_URL: `https://localhost:${String(typeof address === 'object' ? address?.port : undefined)}`,
      NODE_EXTRA_CA_CERTS: certificateFile,
      PORT: String(port),
      TRUST_PROXY: '1',
    },
    certificate: cert,
    [Symbol.asyncDispose]: async () => await running.disposeAsync(),
  };
}

interface Passed {
  readonly web: Server;
  readonly database: Server;
  readonly names: NameSocket;
}

/** The sockets that the program inside listens on. */
async function receive(child: ChildProcess): Promise<Passed> {
  const passed: Record<string, unknown> = {};
  while (Object.keys(passed).length < 3) {
    const [name, socket]: unknown[] = await once(child, 'message', { signal: AbortSignal.timeout(30_000) });
    passed[String(name)] = socket;
  }
  return passed as unknown as Passed; // as `inside` names them
}

/** Sends each other's data. */
function connectSockets(one: Socket, other: Socket): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.pipe(to);
    from.on('error', () => to.destroy());
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

const headerLength = 12;
const typeA = 1;

/** A response of a name server (RFC 1035 §4). */
function answer(query: Buffer, resolve: (name: string) => readonly string[]): Buffer {
  const end = query.indexOf(0, headerLength) + 1;
  const question = query.subarray(headerLength, end + 4);
  const addresses = query.readUInt16BE(end) === typeA ? resolve(nameOf(question)) : [];
  const header = Buffer.from([...query.subarray(0, 2), 0x81, 0x80, 0, 1, 0, addresses.length, 0, 0, 0, 0]);
  const records = addresses.map((address) =>
    Buffer.from([0xc0, headerLength, 0, typeA, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  );
  return Buffer.concat([header, question, ...records]);
}

function nameOf(question: Buffer): string {
  const labels: string[] = [];
  for (let at = 0; question[at] !== 0; at += (question[at] ?? 0) + 1) {
    labels.push(question.toString('latin1', at + 1, at + 1 + (question[at] ?? 0)));
  }
  return labels.join('.').toLowerCase();
}
