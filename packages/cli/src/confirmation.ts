/** Asks before a command acts on several accounts or applications. */
import { createInterface } from 'node:readline/promises';

import { CommandError } from './failure.ts';
import type { Terminal } from './password-input.ts';

interface Plan {
  /** `suspend` */
  readonly verb: string;
  readonly noun?: 'account' | 'application';
  readonly subjects: readonly string[];
  /** `--yes` */
  readonly isConfirmed: boolean;
}

/**
 * Shows what the command is about and asks, unless there is nothing to do.
 * @throws CommandError if the answer is no, or if there is nobody to ask.
 */
export async function requireConfirmation(
  { verb, noun = 'account', subjects, isConfirmed }: Plan,
  terminal: Terminal = process,
): Promise<void> {
  const { length } = subjects;
  if (isConfirmed || length === 0) return;
  const plan = `This would ${verb} ${String(length)} ${noun}${length === 1 ? '' : 's'}: ${subjects.join(', ')}.`;
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

/** An account, as the question names it. */
export function toSubject({ id, username }: { readonly id: number; readonly username: string }): string {
  return `${username} (id ${String(id)})`;
}
