/** The figures that say how few places a person has to visit. `git` knows what is ours; no figure reads what is not in it. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { findBackwardArrows, findMutualPairs, groupModules } from './measure-arrows.ts';
import type { Graph } from './measure-arrows.ts';

/** Files by path, without what is deleted but not committed. */
type Texts = ReadonlyMap<string, string>;

const isSource = /^(?:apps|packages)\/(?!.*(?:\.test\.|generated)).+\.tsx?$/u;
/** Programs that build, generate and release. */
const isTool = /\/(?:bin|generator|release)\//u;
const isGenerated = /^(?:apps|packages)\/.+\/(?:generated\/.+\.ts|rendered\/.+|linnet_sdk\/(?:calls|problems)\.py)$/u;
/** "The previous version" is a term of the phases of migrations. */
const earlierVersions = /\b(?:earlier|older) (?:versions?|releases?)\b/giu;

/** @param modules What imports what, without tests. */
export function measureHouse(root: string, modules: Graph): Readonly<Record<string, number>> {
  const texts = readTracked(root, ['*.ts', '*.tsx', '*.md', '*.html', '*.py', '*package.json']);
  const sources = pick(texts, isSource);
  const migrations = listMigrations(root);
  return {
    'source files, without tools': [...texts.keys()].filter((path) => isSource.test(path) && !isTool.test(path)).length,
    'lines of source files, with tools': countLines(sources),
    'WeakMaps in apps/api/src/http': pick(texts, /^apps\/api\/src\/http\//u).filter((text) => text.includes('WeakMap'))
      .length,
    'imports on circles': findBackwardArrows(modules).length,
    'pairs of folders in protocol': findMutualPairs(groupModules(modules, folderOfProtocol)).length,
    migrations: migrations.length,
    'migrations not in order or of the future': countMisplaced(migrations),
    'words about earlier versions': sources.reduce((sum, text) => sum + (text.match(earlierVersions)?.length ?? 0), 0),
    'lines of CHANGELOG.md': countLines(pick(texts, /^CHANGELOG\.md$/u)),
    // A row for each finding is data.
    'lines of Markdown': countLines(pick(texts, /^(?!findings\/).*\.md$/u)),
    'entries of exports': pick(texts, /(?:^|\/)package\.json$/u).reduce((sum, text) => sum + countExports(text), 0),
    'development dependencies of the root': Object.keys(parse(texts.get('package.json') ?? '{}').devDependencies ?? {})
      .length,
    'generated lines in git': countLines(pick(texts, isGenerated)),
  };
}

function readTracked(root: string, patterns: readonly string[]): Texts {
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
  const deleted = new Set(execFileSync('git', ['ls-files', '--deleted', ...patterns], options).split('\n'));
  const paths = execFileSync('git', ['ls-files', ...patterns], options).split('\n');
  return new Map(
    paths
      .filter((path) => path !== '' && !deleted.has(path))
      .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
  );
}

function pick(texts: Texts, pattern: RegExp): readonly string[] {
  return [...texts].filter(([path]) => pattern.test(path)).map(([, text]) => text);
}

function countLines(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + (text.match(/\n/gu)?.length ?? 0), 0);
}

/** A folder of the protocol, or `.` for the files above all of them. */
function folderOfProtocol(path: string): string | undefined {
  const inside = /^apps\/auth\/src\/protocol\/(?<folder>[^/]+\/)?/u.exec(path);
  return inside === null ? undefined : (inside.groups?.['folder'] ?? '.');
}

/** Names of folders, as git sorts them. */
function listMigrations(root: string): readonly string[] {
  const files = execFileSync('git', ['ls-files', 'prisma/migrations/*/migration.sql'], { cwd: root, encoding: 'utf8' });
  return files.split('\n').flatMap((file) => file.split('/').slice(2, 3));
}

/** Migrations whose number does not follow from their place, and dated ones of a day to come. */
function countMisplaced(names: readonly string[]): number {
  const today = new Date().toISOString().replaceAll(/\D/gu, '').slice(0, 14);
  return names.filter((name, index) => {
    const prefix = name.split('_')[0] ?? '';
    return prefix.length === 14 ? prefix > today : Number(prefix) !== index + 1;
  }).length;
}

interface Manifest {
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

function countExports(manifest: string): number {
  return Object.keys(parse(manifest).exports ?? {}).length;
}

function parse(manifest: string): Manifest {
  return JSON.parse(manifest) as Manifest;
}
