/** Passwords for commands: from a hidden prompt, from standard input, or from the option `--password`. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

import { CommandError } from './failure.ts';

/** Where a command reads from and talks to its operator. */
export interface Terminal {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stderr: { readonly isTTY?: boolean; write(text: string): unknown };
}

/**
 * Returns `option` if it is set. Otherwise asks on a terminal, twice and without showing what is typed, or reads the
 * first line of standard input.
 * @throws CommandError if there is no password, or the two differ
 */
export async function readPassword(option: string | undefined, terminal: Terminal = process): Promise<string> {
  if (option !== undefined) {
    warnAboutOption(terminal);
    return option;
  }
  return terminal.stdin.isTTY === true ? await askTwice(terminal) : await readFirstLine(terminal);
}

/** Only for people: scripts expect an empty stderr, and would repeat the warning in every log. */
function warnAboutOption({ stderr }: Terminal): void {
  if (stderr.isTTY !== true) return;
  stderr.write(
    'linnet: warning: --password is visible in the process list and in the history of the shell; leave it out to type the password\n',
  );
}

async function readFirstLine({ stdin }: Terminal): Promise<string> {
  const lines = createInterface({ input: stdin });
  try {
    for await (const line of lines) return requirePassword(line);
  } finally {
    lines.close();
  }
  return requirePassword('');
}

function requirePassword(password: string): string {
  if (password !== '') return password;
  throw new CommandError(
    'password-required',
    'Type the password on a terminal, send it to standard input as one line, or use --password.',
  );
}

async function askTwice(terminal: Terminal): Promise<string> {
  const lines = createInterface({ input: terminal.stdin, output: nowhere(), terminal: true });
  const ended = new AbortController();
  // Ctrl-C and Ctrl-D
  lines.once('close', () => {
    ended.abort();
  });
  const ask = async (question: string): Promise<string> => {
    terminal.stderr.write(question);
    const answer = await lines.question('', { signal: ended.signal }).catch(() => '');
    terminal.stderr.write('\n');
    return requirePassword(answer);
  };
  try {
    const password = await ask('Password: ');
    if ((await ask('Repeat the password: ')) === password) return password;
    throw new CommandError('passwords-differ', 'The two passwords differ. Nothing was changed.');
  } finally {
    lines.close();
  }
}

/** readline shows what is typed here. */
function nowhere(): Writable {
  return new Writable({
    write: (_chunk, _encoding, done) => {
      done();
    },
  });
}
