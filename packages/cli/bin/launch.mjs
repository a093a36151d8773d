// Uses only syntax that old versions of Node parse, so that they reach the message below.
import { existsSync, lstatSync, mkdirSync } from 'node:fs';
import module from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  cacheCompiledCode();
  const checkout = new URL('../../../', import.meta.url);
  // A release, or an install without development dependencies, cannot build.
  if (existsSync(new URL('turbo.json', checkout)) && existsSync(new URL('node_modules/turbo', checkout))) {
    const { ensureBuilt } = await import('./ensure-built.mjs');
    await ensureBuilt(fileURLToPath(checkout));
  }
  if (process.exitCode === undefined) await import(new URL(`../dist/${program}.js`, import.meta.url).href);
}

/**
 * Lets this process and those that it starts keep their compiled code, so that the next start is faster. Without a folder that belongs
 * to this user alone, nothing is kept: others could put code there.
 */
function cacheCompiledCode() {
  if (process.env.NODE_COMPILE_CACHE !== undefined) return;
  // Not on Windows, where each user has a temporary folder.
  const uid = process.getuid?.();
  const folder = join(tmpdir(), `linnet-code-${uid ?? ''}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const found = lstatSync(folder);
    if (!found.isDirectory() || (uid !== undefined && (found.uid !== uid || (found.mode & 0o77) !== 0))) return;
  } catch {
    return;
  }
  process.env.NODE_COMPILE_CACHE = folder;
  module.enableCompileCache(folder);
}
