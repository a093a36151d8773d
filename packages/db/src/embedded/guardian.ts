/*
 * PostgreSQL runs below a small shell, its guardian, in a session of its own: a Ctrl-C in the
 * terminal does not reach it. The guardian holds a pipe whose other end is ours, and only ours.
 * When the pipe closes, because we end in whatever way, it tells PostgreSQL to stop (SIGINT: fast
 * shutdown). When PostgreSQL ends, the guardian ends, and we learn of it.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';

import type { Command } from './server-user.ts';

// fd 0: our pipe, kept as 4 for the reader alone; fd 3: where the server's process number goes.
// $0: a directory to remove at the end, or nothing.
const script = `
exec 4<&0 </dev/null
"$@" 3>&- 4<&- &
server=$!
echo "$server" >&3
exec 3>&-
{ read -r word <&4; [ "$word" = detach ] || kill -INT "$server"; } 2>/dev/null &
reader=$!
exec 4<&-
wait "$server"
kill "$reader" 2>/dev/null
[ -z "$0" ] || rm -rf "$0"
`;

export interface GuardedServer {
  readonly pid: number;
  /** Fulfilled when the server has ended (and its directory is removed). */
  readonly exited: Promise<void>;
  hasExited(): boolean;
  /** Lets the server outlive us. */
  detach(): Promise<void>;
  /** Tells the server to stop, as our end would. */
  abandon(): void;
}

export interface GuardedCommand {
  readonly command: Command;
  /** The server's standard output and error are appended to it. */
  readonly logFile: string;
  /** Removed when the server has ended. */
  readonly removeAtEnd?: string;
}

/** Starts a server under a guardian. Throws when the guardian itself cannot be started. */
export async function spawnGuarded({ command, logFile, removeAtEnd = '' }: GuardedCommand): Promise<GuardedServer> {
  const log = await open(logFile, 'a', 0o600);
  try {
    const guardian = spawn('/bin/sh', ['-c', script, removeAtEnd, command.file, ...command.args], {
      ...command.options,
      detached: true,
      stdio: ['pipe', log.fd, log.fd, 'pipe'],
    });
    return await superviseGuardian(guardian);
  } finally {
    await log.close();
  }
}

async function superviseGuardian(guardian: ChildProcess): Promise<GuardedServer> {
  const pipe = guardian.stdin;
  // With the stdio above it is a stream that is read.
  const report = guardian.stdio[3] as Readable | null;
  pipe?.on('error', () => undefined); // the guardian is gone: its exit tells
  let exited = false;
  const ended = new Promise<void>((resolve) => {
    guardian.on('exit', () => {
      exited = true;
      pipe?.destroy();
      resolve();
    });
  });
  await once(guardian, 'spawn');
  return {
    pid: await readNumber(report),
    exited: ended,
    hasExited: () => exited,
    detach: async () => {
      guardian.unref();
      await new Promise<void>((resolve) => pipe?.end('detach\n', () => resolve()));
    },
    abandon: () => void pipe?.destroy(),
  };
}

async function readNumber(report: Readable | null): Promise<number> {
  let text = '';
  for await (const chunk of report ?? []) text += String(chunk);
  return Number(text);
}
