import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { zipSync } from 'fflate';
import type { ZipOptions } from 'fflate';
import { parse } from 'smol-toml';

/** What pyproject.toml says. */
interface Project {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly 'requires-python': string;
  readonly license: string;
  readonly keywords: readonly string[];
  readonly classifiers: readonly string[];
}

type File = readonly [path: string, content: Uint8Array];

interface Wheel {
  /** The name of the file, which pip reads. */
  readonly name: string;
  readonly content: Uint8Array;
}

/** The oldest time that a ZIP can have, as the clock of this machine shows it. */
const oldest = new Date(1980, 0, 1);
/** A file of Unix that everybody may read. */
const mode = 0o100644;
const unix = 3;

/**
 * Writes the Python SDK in `project`, the folder of its pyproject.toml, as `pip install` takes it, without Python. Replaces wheels of
 * other versions in `folder`.
 */
export async function writeWheel({ project, folder }: { readonly project: string; readonly folder: string }) {
  const { name, content } = await createWheel(project);
  await mkdir(folder, { recursive: true });
  // A running service reads either the old file or the new one.
  await writeFile(join(folder, `${name}.new`), content);
  await rename(join(folder, `${name}.new`), join(folder, name));
  const outdated = (await readdir(folder)).filter((file) => file.endsWith('.whl') && file !== name);
  await Promise.all(outdated.map(async (file) => await rm(join(folder, file))));
}

/**
 * The wheel of a project (https://packaging.python.org/en/latest/specifications/binary-distribution-format/). The same sources make the
 * same bytes.
 */
export async function createWheel(project: string): Promise<Wheel> {
  const manifest = parse(await readFile(join(project, 'pyproject.toml'), 'utf8'));
  const about = manifest['project'] as unknown as Project; // a test compares the wheel with that of hatchling
  const base = `${about.name.replaceAll('-', '_')}-${about.version}`;
  const info = `${base}.dist-info`;
  const files: readonly File[] = [
    ...(await readModules(join(project, 'src'), 'linnet_sdk')),
    [`${info}/licenses/LICENSE`, await readFile(join(project, 'LICENSE'))],
    [`${info}/METADATA`, Buffer.from(metadataOf(about, await readFile(join(project, 'README.md'), 'utf8')))],
    [`${info}/WHEEL`, Buffer.from('Wheel-Version: 1.0\nGenerator: linnet\nRoot-Is-Purelib: true\nTag: py3-none-any\n')],
  ];
  const rows = [...files.map(([path, content]) => `${path},${hashOf(content)},${String(content.length)}`)];
  const record: File = [`${info}/RECORD`, Buffer.from([...rows, `${info}/RECORD,,\n`].join('\n'))];
  return { name: `${base}-py3-none-any.whl`, content: zipSync(Object.fromEntries([...files, record].map(toEntry))) };
}

function toEntry([path, content]: File): readonly [string, [Uint8Array, ZipOptions]] {
  return [path, [content, { level: 9, mtime: oldest, os: unix, attrs: mode * 2 ** 16 }]];
}

async function readModules(source: string, name: string): Promise<readonly File[]> {
  const modules = (await readdir(join(source, name))).filter((file) => /^(\w+\.py|py\.typed)$/.test(file)).toSorted();
  return await Promise.all(
    modules.map(async (file): Promise<File> => [`${name}/${file}`, await readFile(join(source, name, file))]),
  );
}

/** https://packaging.python.org/en/latest/specifications/core-metadata/ */
function metadataOf(project: Project, readme: string): string {
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
  return `${fields.map((field) => field.join(': ')).join('\n')}\n\n${readme}`;
}

function hashOf(content: Uint8Array): string {
  return `sha256=${createHash('sha256').update(content).digest('base64url')}`;
}
