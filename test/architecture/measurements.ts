/** The figures of `pnpm measure`: sizes, imports, duplicates and comments of the code. */
import { readFile } from 'node:fs/promises';

import { findBackwardArrows, findMutualPairs, groupModules, listArrows, readImports } from './measure-arrows.ts';
import type { Graph } from './measure-arrows.ts';
import { measureFile, quantile } from './measure-code.ts';
import { findDuplicates } from './measure-duplicates.ts';
import { measureHouse } from './measure-house.ts';
import { readRepository } from './repository-files.ts';

/** Figures by name. */
type Figures = Readonly<Record<string, number>>;

interface Measurements {
  /** The table that `pnpm measure` prints first. */
  readonly house: Figures;
  readonly figures: Figures;
  /** What figures above their limits consist of, such as the arrows that point backwards. */
  readonly details: readonly string[];
}

interface Goal {
  /** What version 1.0 must have at most, and what it should have. */
  readonly must: number;
  readonly aim?: number;
  /** The greatest value that is allowed today. */
  readonly limit?: number;
}

interface Limits {
  readonly house: Readonly<Record<string, Goal>>;
  /** Names of figures with the greatest value that is allowed; figures without one are only printed. */
  readonly limits: Figures;
}

export async function readLimits(): Promise<Limits> {
  const text = await readFile(new URL('measure.json', import.meta.url), 'utf8');
  return JSON.parse(text) as Limits; // written by hand, beside this file
}

/** Measures the repository at `root`. Takes half a minute. */
export async function measureRepository(root: string): Promise<Measurements> {
  const files = [...readRepository(root, ['.ts', '.tsx'])].filter(([path]) => isMeasured(path));
  const sources = new Map(files.filter(([path]) => isSource(path)));
  const tests = new Map(files.filter(([path]) => isTestCode(path)));
  const modules = await readImports(root);
  const rooms = groupModules(modules, roomOf);
  const authRooms = groupModules(modules, authRoomOf);
  const duplicates = await findDuplicates(sources);
  const lines = sum([...sources].map(([path, text]) => measureFile(path, text).lines));
  return {
    house: measureHouse(root, withoutTests(modules)),
    figures: {
      ...measureSizes('sources', sources),
      ...measureSizes('tests', tests),
      'sources: % duplicated lines': toPercent(sum(duplicates.map((duplicate) => duplicate.lines)) / lines),
      'modules: imports on cycles': findBackwardArrows(withoutTests(modules)).length,
      ...measureArrows('repository', rooms),
      ...measureArrows('apps/auth', authRooms),
    },
    details: [
      ...duplicates.map((duplicate) => `${String(duplicate.lines)} duplicated lines: ${duplicate.places.join(', ')}`),
      ...[modules, rooms, authRooms]
        .flatMap((graph) => findBackwardArrows(withoutTests(graph)))
        .map(([from, to]) => `on a cycle: ${from} → ${to}`),
    ],
  };
}

/** Catalogues of texts and generated files have the size they need. */
function isMeasured(path: string): boolean {
  return !/\/(?:i18n|generated)\//u.test(path);
}

function isSource(path: string): boolean {
  return /^(?:apps|packages)\/[^/]+\/src\//u.test(path) && !isTestCode(path);
}

function isTestCode(path: string): boolean {
  return /\.test\.tsx?$|^test\//u.test(path);
}

/** An app or a package; test code does not count. */
function roomOf(path: string): string | undefined {
  return isTestCode(path) ? undefined : /^(?:apps|packages)\/[^/]+/u.exec(path)?.[0];
}

/** A folder of the authorization server, or `app` for the files beside them, which put it together. */
function authRoomOf(path: string): string | undefined {
  if (isTestCode(path)) return undefined;
  const inside = /^apps\/auth\/src\/(?<folder>[^/]+\/)?/u.exec(path);
  return inside === null ? undefined : (inside.groups?.['folder'] ?? 'app');
}

function withoutTests(modules: Graph): Graph {
  return new Map([...modules].filter(([path]) => !isTestCode(path)));
}

function measureSizes(name: string, files: ReadonlyMap<string, string>): Figures {
  const sizes = [...files].map(([path, text]) => measureFile(path, text));
  const fileLines = sizes.map(({ lines }) => lines);
  const functionLines = sizes.flatMap((size) => size.functionLines);
  return {
    [`${name}: files`]: fileLines.length,
    [`${name}: lines of a file, median`]: quantile(fileLines, 0.5),
    [`${name}: lines of a file, 90th percentile`]: quantile(fileLines, 0.9),
    [`${name}: lines of a file, maximum`]: quantile(fileLines, 1),
    [`${name}: functions`]: functionLines.length,
    [`${name}: lines of a function, median`]: quantile(functionLines, 0.5),
    [`${name}: lines of a function, 90th percentile`]: quantile(functionLines, 0.9),
    [`${name}: lines of a function, maximum`]: quantile(functionLines, 1),
    [`${name}: % comment lines`]: toPercent(sum(sizes.map(({ commentLines }) => commentLines)) / sum(fileLines)),
  };
}

function measureArrows(name: string, rooms: Graph): Figures {
  return {
    [`${name}: rooms`]: rooms.size,
    [`${name}: arrows between rooms`]: listArrows(rooms).length,
    [`${name}: arrows on cycles`]: findBackwardArrows(rooms).length,
    [`${name}: pairs that import each other`]: findMutualPairs(rooms).length,
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** With two decimal places. */
function toPercent(share: number): number {
  return Math.round(share * 10_000) / 100;
}
