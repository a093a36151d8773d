import { readFileSync } from 'node:fs';

import swc from '@swc/core';

/** What is imported: values, only types, or values at a later time. */
type Kind = 'value' | 'type' | 'dynamic';

interface Found {
  readonly specifier: string;
  readonly kind: Kind;
}

/**
 * Reduces a module to its imports, as source text. dependency-cruiser uses a visitor that swc no longer maintains: it
 * fails on JSX and `using`, and does not distinguish `import type` from `import`. In the result, type-only imports are
 * `let t: import('…')`, which dependency-cruiser reports as `type-import`. A module that is imported for types and
 * values is listed once, for its values.
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

/** Visits every node, known or not, so that new syntax cannot hide imports. */
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

/** `new URL('worker.ts', import.meta.url)`: a module of this repository that another process or thread runs. */
function importOfUrl(node: object): Found | undefined {
  if (property(property(node, 'callee'), 'value') !== 'URL') return undefined;
  if (property(argument(node, 1), 'type') !== 'MemberExpression') return undefined;
  const file = property(argument(node, 0), 'value');
  return typeof file === 'string' && file.endsWith('.ts') ? { specifier: `./${file}`, kind: 'dynamic' } : undefined;
}

function argument(call: object, index: number): unknown {
  const args = property(call, 'arguments');
  return Array.isArray(args) ? property(args[index], 'expression') : undefined;
}

function toFound(literal: unknown, kind: Kind): Found | undefined {
  const specifier = property(literal, 'value');
  return typeof specifier === 'string' ? { specifier, kind } : undefined;
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
