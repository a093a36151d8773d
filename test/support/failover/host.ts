import type { ChildProcess } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { eventually, repositoryRoot, signalIfRunning } from '../service.ts';
import { signalAll, startProgram } from './programs.ts';
import type { User } from './programs.ts';

/** Where the documented files are. */
const programFolder = '/usr/lib/postgresql/15/bin';
const examples = join(repositoryRoot, 'docs/operations/failover');

/** The hosts of the documentation. Both databases have PostgreSQL and a member of etcd. */
export const hostNames = ['db1', 'db2', 'witness'] as const;
export type HostName = (typeof hostNames)[number];
export type DatabaseHostName = Exclude<HostName, 'witness'>;

/** Where the documented files are used: the addresses of three hosts and of one with Linnet, all of this machine. */
export interface Place {
  /** The first three bytes of the addresses, such as `127.5.6`. */
  readonly network: string;
  readonly directory: string;
  readonly user: User;
}

/** Variables of libfaketime. Patroni itself stops when it is given another clock. */
export type Clock = Readonly<Record<string, string>>;

/** A documented file with the addresses and folders of the test. */
export function readExample(name: string, { network, directory }: Place): string {
  return readFileSync(join(examples, name), 'utf8')
    .replaceAll('10.0.0.0/24', '127.0.0.0/8')
    .replaceAll(/10\.0\.0\.(\d)/g, `${network}.$1`)
    .replaceAll('127.0.0.1', `${network}.4`)
    .replaceAll('/etc/pgbouncer', directory);
}

/** A host with its processes, which a test can lose. */
export class Host {
  readonly name: HostName;
  readonly #place: Place;
  readonly #folder: string;
  readonly #address: string;
  readonly #clock: Clock | undefined;
  readonly #children: ChildProcess[] = [];

  constructor(name: HostName, place: Place, clock?: Clock) {
    this.name = name;
    this.#place = place;
    this.#folder = join(place.directory, name);
    this.#address = `${place.network}.${String(hostNames.indexOf(name) + 1)}`;
    this.#clock = clock;
    this.#prepare();
  }

  get address(): string {
    return this.#address;
  }

  /** The file of Patroni. */
  get configuration(): string {
    return join(this.#folder, 'patroni.yaml');
  }

  startEtcd(): void {
    this.#start('etcd', ['--config-file', join(this.#folder, 'etcd.yaml')]);
  }

  /** Patroni starts PostgreSQL. */
  startPatroni(): void {
    this.#start('patroni', [this.configuration]);
  }

  #start(program: 'etcd' | 'patroni', args: readonly string[]): void {
    const logFile = join(this.#folder, `${program}.log`);
    const { user } = this.#place;
    this.#children.push(startProgram(program, { args, user, env: { HOME: this.#folder }, logFile }));
  }

  /** Sends a signal to every process of the host at once. SIGKILL is a power failure, SIGSTOP a host that no longer responds. */
  signal(signal: NodeJS.Signals): void {
    signalAll([...this.#findRunning(), this.#readPostmaster()], signal);
  }

  /** Ends every process for good. PostgreSQL stops by itself, so that it leaves no shared memory. */
  async end(): Promise<void> {
    this.signal('SIGCONT');
    for (const pid of this.#findRunning()) signalIfRunning(pid, 'SIGKILL');
    const server = this.#readPostmaster();
    if (server > 0) signalIfRunning(server, 'SIGQUIT');
    await eventually(`PostgreSQL of ${this.name} has stopped`, () => this.#readPostmaster() === 0);
  }

  /** Whether Patroni says that the host is in this role: `primary`, `replica`, `sync`. */
  async is(role: 'primary' | 'replica' | 'sync'): Promise<boolean> {
    const url = `http://${this.#address}:8008/${role}`;
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(2000) });
      await response.arrayBuffer();
      return response.status === 200;
    } catch {
      return false; // Patroni does not respond.
    }
  }

  async until(role: 'primary' | 'sync'): Promise<void> {
    await eventually(`${this.name} is ${role}`, async () => await this.is(role)).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${this.#readLog()}`, { cause: error });
    });
  }

  #readLog(): string {
    return readFileSync(join(this.#folder, 'patroni.log'), 'utf8').slice(-5000);
  }

  #prepare(): void {
    const { uid, gid } = this.#place.user;
    for (const folder of [this.#folder, join(this.#folder, 'run'), join(this.#folder, 'etcd')]) {
      mkdirSync(folder);
      chmodSync(folder, 0o700);
      if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
    }
    if (this.#clock !== undefined) this.#wrapPostgres(this.#clock);
    for (const file of ['etcd.yaml', 'patroni.yaml']) {
      // Passwords are in it, and each program reads it as its own user.
      const path = join(this.#folder, file);
      writeFileSync(path, this.#adapt(readExample(file, this.#place)), { mode: 0o600 });
      if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
    }
  }

  /** PostgreSQL's programs, of which the server has another clock. */
  #wrapPostgres(clock: Clock): void {
    const folder = join(this.#folder, 'bin');
    mkdirSync(folder);
    for (const name of readdirSync(programFolder)) {
      if (name !== 'postgres') symlinkSync(join(programFolder, name), join(folder, name));
    }
    const variables = Object.entries(clock).map(([name, value]) => `${name}=${value}`);
    const script = `#!/bin/sh\nexec env ${variables.join(' ')} ${programFolder}/postgres "$@"\n`;
    writeFileSync(join(folder, 'postgres'), script, { mode: 0o755 });
  }

  /** What docs/operations/failover.md says to change on each host, and folders of the test. */
  #adapt(example: string): string {
    const programs = this.#clock === undefined ? programFolder : join(this.#folder, 'bin');
    return example
      .replace(programFolder, programs)
      .replace(/^name: db1$/m, `name: ${this.name}`)
      .replaceAll(
        /^(.*(?:listen|connect_address|listen-\S+|\S+advertise-\S+|advertise-\S+): \S*)127\.\d+\.\d+\.1(:\d+)$/gm,
        `$1${this.#address}$2`,
      )
      .replaceAll('/var/lib/etcd', join(this.#folder, 'etcd'))
      .replaceAll('/var/lib/postgresql/15', this.#folder)
      .replaceAll('/var/lib/postgresql', this.#folder)
      .replaceAll('/var/run/postgresql', join(this.#folder, 'run'));
  }

  #findRunning(): readonly number[] {
    const running = this.#children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
    return running.map(({ pid }) => pid ?? 0);
  }

  /** The process of PostgreSQL; 0 if it does not run. */
  get postgresPid(): number {
    return this.#readPostmaster();
  }

  /** Another process may have the number in its file. */
  #readPostmaster(): number {
    try {
      const data = join(this.#folder, 'linnet');
      const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
      return readFileSync(`/proc/${String(pid)}/cmdline`, 'utf8').includes(data) ? pid : 0;
    } catch {
      return 0;
    }
  }
}
