import { readFileSync } from 'node:fs';

import swc from '@swc/core';

/** How a module takes another: its values, its types alone, or later. */
type Kind = 'value' | 'type' | 'dynamic';

interface Found {
  readonly specifier: string;
  readonly kind: Kind;
}

/**
 * A module reduced to its imports, as source text. dependency-cruiser reads syntax trees with a visitor
 * that swc has given up: it knows neither JSX nor `using`, and does not tell `import type` from
 * `import`. Here imports of types become `let t: import('…')`, which the cruiser calls `type-import`;
 * a module that is taken for its values too is reported with its values alone.
 * @throws Error when the file cannot be read or parsed.
 */
export function readImportsOnly(path: string): string {
  const tree = swc.parseSync(readFileSync(path, 'utf8'), { syntax: 'typescript', tsx: path.endsWith('x') });
  const found = [...findImports(tree)];
  const values = new Set(found.filter(({ kind }) => kind !== 'type').map(({ specifier }) => specifier));
  return found
    .filter(({ specifier, kind }) => kind !== 'type' || !values.has(specifier))
    .map((one, index) => toStatement(one, index))
    .join('\n');
}

function toStatement({ specifier, kind }: Found, index: number): string {
  const quoted = JSON.stringify(specifier);
  if (kind === 'type') return `let t${String(index)}: import(${quoted});`;
  return kind === 'dynamic' ? `import(${quoted});` : `import ${quoted};`;
}

/** Walks every node, known or not, so that new syntax hides nothing. */
function* findImports(node: unknown): Generator<Found> {
  if (typeof node !== 'object' || node === null) return;
  const found = importOf(node);
  if (found !== undefined) yield found;
  for (const child of Object.values(node)) yield* findImports(child);
}

function importOf(node: object): Found | undefined {
  switch (property(node, 'type')) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
      return toFound(property(node, 'source'), property(node, 'typeOnly') === true ? 'type' : 'value');
    case 'TsImportType':
      return toFound(property(node, 'argument'), 'type');
    case 'TsExternalModuleReference':
      return toFound(property(node, 'expression'), 'value');
    case 'CallExpression':
      return importOfCall(node);
    case 'NewExpression':
      return importOfUrl(node);
    default:
      return undefined;
  }
}

/** `import('…')` and `require('…')` */
function importOfCall(node: object): Found | undefined {
  const callee = property(node, 'callee');
  if (property(callee, 'type') === 'Import') return toFound(argument(node, 0), 'dynamic');
  return property(callee, 'value') === 'require' ? toFound(argument(node, 0), 'value') : undefined;
}

/** `new URL('worker.js', import.meta.url)`: our own module, run by another process or thread. */
function importOfUrl(node: object): Found | undefined {
  if (property(property(node, 'callee'), 'value') !== 'URL') return undefined;
  if (property(argument(node, 1), 'type') !== 'MemberExpression') return undefined;
  const file = property(argument(node, 0), 'value');
  if (typeof file !== 'string' || !/\.[jt]s$/.test(file)) return undefined;
  return { specifier: `./${file.replace(/\.js$/, '.ts')}`, kind: 'dynamic' };
}

function argument(call: object, index: number): unknown {
  const given = property(call, 'arguments');
  return Array.isArray(given) ? property(given[index], 'expression') : undefined;
}

function toFound(literal: unknown, kind: Kind): Found | undefined {
  const specifier = property(literal, 'value');
  return typeof specifier === 'string' ? { specifier, kind } : undefined;
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
