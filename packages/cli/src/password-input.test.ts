import { PassThrough } from 'node:stream';

import { expect, test } from 'vitest';

import { CommandError } from './failure.ts';
import { readPassword } from './password-input.ts';
import type { Terminal } from './password-input.ts';

interface FakeTerminal extends Terminal {
  readonly stdin: PassThrough & { isTTY?: boolean };
  readonly shown: readonly string[];
}

function createTerminal(isTTY: boolean): FakeTerminal {
  const shown: string[] = [];
  return {
    stdin: Object.assign(new PassThrough(), { isTTY }),
    stderr: { isTTY, write: (text) => shown.push(text) },
    shown,
  };
}

/** Types an answer whenever the command asks a question. */
function typing(...answers: readonly string[]): FakeTerminal {
  const terminal = createTerminal(true);
  const left = [...answers];
  const write = (text: string) => {
    const [answer] = text.endsWith(': ') ? left.splice(0, 1) : [];
    if (answer !== undefined) setImmediate(() => terminal.stdin.write(answer));
    return terminal.stderr.write(text);
  };
  return { ...terminal, stderr: { isTTY: true, write } };
}

const codeOf = async (reading: Promise<string>) =>
  await reading.catch((error: unknown) => (error instanceof CommandError ? error.code : error));

test('a terminal is asked twice, and shows nothing of what is typed', async () => {
  const terminal = typing('correct horse\r', 'correct horse\r');
  expect(await readPassword(undefined, terminal)).toBe('correct horse');
  expect(terminal.shown.join('')).toBe('Password: \nRepeat the password: \n');
});

test('backspace corrects what was typed', async () => {
  expect(await readPassword(undefined, typing('correct hoo\u007Frse\r', 'correct horse\r'))).toBe('correct horse');
});

test.each([
  ['passwords-differ', ['correct horse\r', 'correct hose\r']],
  ['password-required', ['\r']],
  ['password-required', ['correct\u0003']],
  ['password-required', ['\u0004']],
])('fails with %s after the input %j', async (code, answers) => {
  expect(await codeOf(readPassword(undefined, typing(...answers)))).toBe(code);
});

test.each([
  ['correct horse\n', 'correct horse'],
  ['correct horse', 'correct horse'],
  [' two  spaces \r\nand more\n', ' two  spaces '],
  ['', 'password-required'],
  ['\n', 'password-required'],
])('standard input %j without a terminal gives %j', async (text, expected) => {
  const terminal = createTerminal(false);
  terminal.stdin.end(text);
  expect(await codeOf(readPassword(undefined, terminal))).toBe(expected);
  expect(terminal.shown).toEqual([]);
});

test('the option is used as it is; only a terminal shows the warning', async () => {
  for (const isTTY of [true, false]) {
    const terminal = createTerminal(isTTY);
    expect(await readPassword('correct horse', terminal)).toBe('correct horse');
    expect(terminal.shown.join('').includes('--password is visible')).toBe(isTTY);
  }
});
