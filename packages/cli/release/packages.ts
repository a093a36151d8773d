import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { z } from 'zod';

/** A library that is part of a release. */
export interface Package {
  readonly directory: string;
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

const manifest = z.object({ name: z.string(), version: z.string(), license: z.string() });

/** What somebody who redistributes a package must keep. */
const legal = /^(?:licen[cs]e|notice|copying|third[-_]party)[^/]*$(?<!\.(?:map|[cm]?[jt]s))/i;

/** The packages that files belong to, in the order of their names. */
export async function findPackages(files: readonly string[]): Promise<readonly Package[]> {
  const directories = files.map((file) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/@]+(?=\/)/.exec(file)?.[0] ?? '');
  const found = new Map<string, Package>();
  for (const directory of new Set(directories.filter(Boolean))) {
    const read = manifest.parse(JSON.parse(await readFile(join(directory, 'package.json'), 'utf8')));
    found.set(`${read.name}@${read.version}`, { directory, ...read });
  }
  return [...found].toSorted(([one], [other]) => Number(one > other) - Number(one < other)).map(([, each]) => each);
}

/** Writes the license texts of all packages, because the bundle has no files of theirs. */
export async function writeLicenses(file: string, packages: readonly Package[]): Promise<void> {
  const texts = packages.map(async ({ directory, name, version, license }) => {
    const names = (await readdir(directory)).filter((one) => legal.test(one)).toSorted();
    const contents = await Promise.all(names.map(async (one) => await readFile(join(directory, one), 'utf8')));
    return [`# ${name} ${version} (${license})`, ...contents.map((text) => text.trim())].join('\n\n');
  });
  await writeFile(file, `${(await Promise.all(texts)).join('\n\n\n')}\n`);
}
