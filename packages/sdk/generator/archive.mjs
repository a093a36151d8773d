import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Writes the archive that `npm install` and `npm publish` take: what `files` lists, README and LICENSE, a manifest without what only
 * this repository needs, and the dependency, so that an installation needs no registry.
 * @param {{ room: string, dependency: string, file: string }} options `room` and `dependency` are folders.
 */
export async function writeArchive({ room, dependency, file }) {
  const staging = await mkdtemp(join(tmpdir(), 'linnet-sdk-'));
  try {
    const manifest = JSON.parse(await readFile(join(room, 'package.json'), 'utf8'));
    await writeFile(join(staging, 'package.json'), `${JSON.stringify(toPublished(manifest), undefined, 2)}\n`);
    const copied = ['README.md', 'LICENSE', 'dist', 'bin/linnet-sdk.mjs'];
    await Promise.all(copied.map(async (name) => await cp(join(room, name), join(staging, name), { recursive: true })));
    const target = join(staging, 'node_modules/oauth4webapi');
    await cp(dependency, target, { recursive: true, dereference: true });
    await setModes(staging);
    const { stdout } = await promisify(execFile)('npm', ['pack', '--json', '--ignore-scripts'], { cwd: staging });
    await mkdir(dirname(file), { recursive: true });
    // A running service reads either the old archive or the new one.
    await cp(join(staging, JSON.parse(stdout)[0].filename), `${file}.new`);
    await rename(`${file}.new`, file);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/**
 * Everybody may read the files, whatever the umask of the build is: the archive has their modes.
 * @param {string} directory
 */
async function setModes(directory) {
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
  }
}

/** @param {Record<string, any>} manifest */
function toPublished({ devDependencies: _unused, scripts: _scripts, publishConfig, ...manifest }) {
  const { exports, ...config } = publishConfig;
  const bundleDependencies = Object.keys(manifest['dependencies']);
  return { ...manifest, exports, publishConfig: config, bundleDependencies };
}
