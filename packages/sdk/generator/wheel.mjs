import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { zipSync } from 'fflate';
import { parse } from 'smol-toml';

/**
 * @typedef {{
 *   name: string, version: string, description: string, 'requires-python': string, license: string,
 *   keywords: string[], classifiers: string[]
 * }} Project what pyproject.toml says
 */

/** The oldest time that a ZIP can have, as the clock of this machine shows it. */
const oldest = new Date(1980, 0, 1);
const isFile = 0o100644;
const unix = 3;

/**
 * Writes the Python SDK as pip takes it (https://packaging.python.org/en/latest/specifications/binary-distribution-format/), without
 * Python. The same sources are the same bytes.
 * @param {{ project: string, folder: string }} options `project` has pyproject.toml; the wheel is written to `folder`, in place of others.
 * @returns {Promise<string>} the name of the file
 */
export async function writeWheel({ project, folder }) {
  const { name, bytes } = await createWheel(project);
  await mkdir(folder, { recursive: true });
  // A running service reads either the old file or the new one.
  await writeFile(join(folder, `${name}.new`), bytes);
  await rename(join(folder, `${name}.new`), join(folder, name));
  const outdated = (await readdir(folder)).filter((file) => file.endsWith('.whl') && file !== name);
  await Promise.all(outdated.map((file) => rm(join(folder, file))));
  return name;
}

/** @param {string} project */
export async function createWheel(project) {
  const manifest = parse(await readFile(join(project, 'pyproject.toml'), 'utf8'));
  const about = /** @type {Project} */ (manifest['project']); // pip reads it, too
  const base = `${about.name.replaceAll('-', '_')}-${about.version}`;
  const info = `${base}.dist-info`;
  /** @type {[string, Uint8Array][]} */
  const files = [
    ...(await readModules(join(project, 'src'), 'linnet_sdk')),
    [`${info}/licenses/LICENSE`, await readFile(join(project, 'LICENSE'))],
    [`${info}/METADATA`, Buffer.from(metadataOf(about, await readFile(join(project, 'README.md'), 'utf8')))],
    [`${info}/WHEEL`, Buffer.from('Wheel-Version: 1.0\nGenerator: linnet\nRoot-Is-Purelib: true\nTag: py3-none-any\n')],
  ];
  const record = [...files.map(([path, bytes]) => `${path},${hashOf(bytes)},${bytes.length}\n`), `${info}/RECORD,,\n`];
  files.push([`${info}/RECORD`, Buffer.from(record.join(''))]);
  return { name: `${base}-py3-none-any.whl`, bytes: zipSync(Object.fromEntries(files.map(toEntry))) };
}

/**
 * @param {[string, Uint8Array]} file
 * @returns {[string, [Uint8Array, import('fflate').ZipOptions]]}
 */
function toEntry([path, bytes]) {
  return [path, [bytes, { level: 9, mtime: oldest, os: unix, attrs: isFile * 2 ** 16 }]];
}

/**
 * @param {string} source
 * @param {string} name
 * @returns {Promise<[string, Uint8Array][]>}
 */
async function readModules(source, name) {
  const modules = (await readdir(join(source, name))).filter((file) => /^(\w+\.py|py\.typed)$/.test(file)).toSorted();
  return await Promise.all(
    modules.map(async (file) => /** @type {const} */ ([`${name}/${file}`, await readFile(join(source, name, file))])),
  );
}

/**
 * @param {Project} project
 * @param {string} readme
 */
function metadataOf(project, readme) {
  const fields = [
    ['Metadata-Version', '2.4'],
    ['Name', project.name],
    ['Version', project.version],
    ['Summary', project.description],
    ['License-Expression', project.license],
    ['License-File', 'LICENSE'],
    ['Keywords', project.keywords.join(',')],
    ...project.classifiers.map((classifier) => ['Classifier', classifier]),
    ['Requires-Python', project['requires-python']],
    ['Description-Content-Type', 'text/markdown'],
  ];
  return `${fields.map(([name, value]) => `${name}: ${value}\n`).join('')}\n${readme}`;
}

/** @param {Uint8Array} bytes */
function hashOf(bytes) {
  return `sha256=${createHash('sha256').update(bytes).digest('base64url')}`;
}
