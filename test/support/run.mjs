// `pnpm test`: builds what the tests of whole processes run, then runs every test. Further arguments
// go to vitest (`pnpm test --project unit`). The last line of the output is `N passed, N failed`.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { nothingRan, runVitest } from './run-vitest.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

if (build()) {
  process.exitCode = await runVitest({ cwd: root, args: process.argv.slice(2) });
} else {
  console.log(nothingRan);
  process.exitCode = 1;
}

/** True when everything compiled; otherwise its output is shown. */
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
