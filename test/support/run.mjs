// `pnpm test`: builds the programs that tests start, then runs all tests. Arguments are passed to Vitest
// (`pnpm test --project unit`). The last line of the output is `N passed, N failed`.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { noTestRan, runVitest } from './run-vitest.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { status } = spawnSync(process.execPath, [join(root, 'packages/cli/bin/ensure-built.mjs')], { stdio: 'inherit' });

if (status === 0) {
  process.exitCode = await runVitest({ cwd: root, args: process.argv.slice(2) });
} else {
  console.log(noTestRan);
  process.exitCode = 1;
}
