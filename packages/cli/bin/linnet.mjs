#!/usr/bin/env node
// Uses only syntax that old versions of Node parse, so that they reach the message below.
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const [major, minor] = process.versions.node.split('.').map(Number);

if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `linnet needs Node.js 22.18 or newer; this is ${process.version}.\n` +
      'In a checkout, run "npx pnpm@12 linnet", which uses the right version.\n',
  );
  process.exitCode = 1;
} else {
  // Node caches the compiled code in the system's temporary folder, so the next start is faster.
  module.enableCompileCache();
  const checkout = new URL('../../../', import.meta.url);
  // A deployment, or an install without development dependencies, cannot build.
  const canBuild = existsSync(new URL('turbo.json', checkout)) && existsSync(new URL('node_modules/turbo', checkout));
  if (canBuild || !existsSync(new URL('../dist', import.meta.url))) {
    const { ensureBuilt } = await import('./ensure-built.mjs');
    await ensureBuilt(fileURLToPath(checkout));
  }
  if (process.exitCode === undefined) await import('../dist/main.js');
}
