// `pnpm test`: builds the programs that tests start, then runs all tests. Arguments are passed to Vitest
// (`pnpm test --project unit`). The last line of the output is `N passed, N failed`.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { noTestRan, runVitest } from './run-vitest.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

if (build()) {
  process.exitCode = await runVitest({ cwd: root, args: process.argv.slice(2) });
} else {
  console.log(noTestRan);
  process.exitCode = 1;
}

/** Returns false and prints the output if compiling fails. */
function build() {
  const turbo = join(root, 'node_modules', '.bin', 'turbo');
  const { status, stdout, stderr, error } = spawnSync(turbo, ['run', '//#compile', '--output-logs=errors-only'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
  });
  if (status === 0) return true;
  process.stdout.write([stdout, stderr, error?.message].filter(Boolean).join('\n'));
  return false;
}
