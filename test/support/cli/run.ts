import { vi } from 'vitest';

import { runCommand } from '@linnet/cli/program';

export interface Run {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command in this process, with the variables of `process.env`. */
export async function run(...args: readonly string[]): Promise<Run> {
  const written = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((chunk) => {
      written[name] += String(chunk);
      return true;
    }),
  );
  const status = await runCommand(args);
  process.exitCode = undefined; // of `doctor`, for example; it must not end the test run
  for (const spy of spies) spy.mockRestore();
  return { status, ...written };
}
