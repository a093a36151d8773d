#!/usr/bin/env node
// Written so that an old Node reads it too, and can say what is wrong.
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const [major, minor] = process.versions.node.split('.').map(Number);

if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `linnet needs Node.js 22.18 or newer; this is ${process.version}.\n` +
      'In a checkout, "npx pnpm@12 linnet" brings the right one along.\n',
  );
  process.exitCode = 1;
} else {
  // Compiled code is kept for the next start (in the system's temporary folder, by Node itself).
  module.enableCompileCache();
  const checkout = new URL('../../../', import.meta.url);
  if (existsSync(new URL('turbo.json', checkout))) {
    const { ensureBuilt } = await import('./ensure-built.mjs');
    await ensureBuilt(fileURLToPath(checkout));
  }
  if (process.exitCode === undefined) await import('../dist/main.js');
}
