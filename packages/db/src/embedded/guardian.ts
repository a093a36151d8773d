/*
 * PostgreSQL runs as a child of a small shell, the guardian, in its own session, so that Ctrl-C in the terminal does
 * not reach it. The guardian reads a pipe whose other end only this process holds. When the pipe closes, because this
 * process ended for any reason, the guardian stops PostgreSQL (SIGINT: fast shutdown). When PostgreSQL exits, the
 * guardian exits, which this process observes.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';

import type { Command } from './server-user.ts';

// fd 0: the pipe, moved to fd 4 for the reader only; fd 3: receives the server's process id.
// $0: a directory to remove on exit, or empty.
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
  /** Fulfilled when the server has exited and `removeOnExit` is removed. */
  readonly exited: Promise<void>;
  hasExited(): boolean;
  /** Keeps the server running after this process ends. */
  detach(): Promise<void>;
  /** Asks the server to stop, without waiting. */
  stop(): void;
}

export interface GuardedCommand {
  readonly command: Command;
  /** Path of the file that the server's stdout and stderr are appended to. */
  readonly logFile: string;
  /** A directory to remove when the server has exited. */
  readonly removeOnExit?: string;
}

/**
 * Starts a server under a guardian.
 * @throws Error if the guardian cannot be started.
 */
export async function spawnGuarded({ command, logFile, removeOnExit = '' }: GuardedCommand): Promise<GuardedServer> {
  const log = await open(logFile, 'a', 0o600);
  try {
    const guardian = spawn('/bin/sh', ['-c', script, removeOnExit, command.file, ...command.args], {
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
  // 'pipe' in `stdio` makes it a readable stream.
  const report = guardian.stdio[3] as Readable | null;
  pipe?.on('error', () => undefined); // the guardian has exited, which `exit` reports
  let exited = false;
  const ended = new Promise<void>((resolve) => {
    guardian.on('exit', () => {
      exited = true;
      pipe?.destroy();
      resolve();
    });
  });
  await once(guardian, 'spawn');
  if (pipe === null || report === null) throw new Error('The guardian of PostgreSQL was started without its pipes.');
  return {
    pid: await readPid(report),
    exited: ended,
    hasExited: () => exited,
    detach: async () => {
      guardian.unref();
      await new Promise<void>((resolve) => pipe.end('detach\n', () => resolve()));
    },
    stop: () => void pipe.destroy(),
  };
}

async function readPid(report: Readable): Promise<number> {
  let text = '';
  for await (const chunk of report) text += String(chunk);
  const pid = Number(text);
  // Never continue with 0: signals to process 0 would hit this process and its group.
  if (!Number.isInteger(pid) || pid <= 0) throw new Error('The guardian of PostgreSQL did not report a process id.');
  return pid;
}
