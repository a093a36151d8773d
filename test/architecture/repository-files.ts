import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folders that hold nothing written by hand. */
const skipped = new Set(['node_modules', 'dist', 'generated', '.git', '.turbo', '.data', 'coverage', 'flame-graph']);

/** Paths and texts of the files below `root` whose names end like this; paths are relative, with slashes. */
export function readRepository(root: string, extensions: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    pathsBelow(root, '')
      .filter((path) => extensions.some((extension) => path.endsWith(extension)))
      .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
  );
}

function pathsBelow(root: string, folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !skipped.has(name))
    .toSorted((one, other) => one.name.localeCompare(other.name))
    .flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      return entry.isDirectory() ? pathsBelow(root, path) : [path];
    });
}
