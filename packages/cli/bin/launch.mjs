// Uses only syntax that old versions of Node parse, so that they reach the message below.
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const [major, minor] = process.versions.node.split('.').map(Number);

/**
 * Runs a program of the bundle.
 * @param {string} program its name in `dist`
 */
export async function launch(program) {
  if (major < 22 || (major === 22 && minor < 18)) {
    process.stderr.write(
      `linnet needs Node.js 22.18 or newer; this is ${process.version}.\n` +
        'In a checkout, run "npx pnpm@12 linnet", which uses the right version.\n',
    );
    process.exitCode = 1;
    return;
  }
  // Node caches the compiled code in the system's temporary folder, so the next start is faster.
  module.enableCompileCache();
  const checkout = new URL('../../../', import.meta.url);
  // A release, or an install without development dependencies, cannot build.
  if (existsSync(new URL('turbo.json', checkout)) && existsSync(new URL('node_modules/turbo', checkout))) {
    const { ensureBuilt } = await import('./ensure-built.mjs');
    await ensureBuilt(fileURLToPath(checkout));
  }
  if (process.exitCode === undefined) await import(new URL(`../dist/${program}.js`, import.meta.url).href);
}
