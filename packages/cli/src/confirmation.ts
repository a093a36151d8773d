/** Asks before a command acts on several accounts. */
import { createInterface } from 'node:readline/promises';

import { CommandError } from './failure.ts';
import type { Terminal } from './password-input.ts';

interface Plan {
  /** `suspend` */
  readonly verb: string;
  readonly accounts: readonly { readonly id: number; readonly username: string }[];
  /** `--yes` */
  readonly isConfirmed: boolean;
}

/**
 * Shows the accounts and asks, unless there is nothing to do.
 * @throws CommandError if the answer is no, or if there is nobody to ask.
 */
export async function requireConfirmation(
  { verb, accounts, isConfirmed }: Plan,
  terminal: Terminal = process,
): Promise<void> {
  if (isConfirmed || accounts.length === 0) return;
  const names = accounts.map(({ id, username }) => `${username} (id ${String(id)})`).join(', ');
  const plan = `This would ${verb} ${String(accounts.length)} account${accounts.length === 1 ? '' : 's'}: ${names}.`;
  if (terminal.stdin.isTTY !== true) {
    throw new CommandError('not-confirmed', `${plan} Add --yes to do it. Nothing was changed.`);
  }
  terminal.stderr.write(`${plan}\nContinue? [y/N] `);
  if (!(await isYes(terminal))) throw new CommandError('not-confirmed', 'Nothing was changed.');
}

/** Ctrl-D is no. */
async function isYes({ stdin }: Terminal): Promise<boolean> {
  const lines = createInterface({ input: stdin });
  try {
    for await (const line of lines) return /^y(es)?$/i.test(line.trim());
    return false;
  } finally {
    lines.close();
  }
}
