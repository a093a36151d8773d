/** The dashboard, the alert rules and the documentation of the metrics, as tests need them. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { parser } from '@prometheus-io/lezer-promql';
import { parse } from 'yaml';

import { repositoryRoot } from './service.ts';

const folder = join(repositoryRoot, 'docs/operations');

/** Every PromQL expression of a file, with what Grafana replaces filled in. */
export async function readExpressions(file: 'grafana-dashboard.json' | 'prometheus-rules.yaml'): Promise<string[]> {
  const found: string[] = [];
  // YAML includes JSON.
  collect(parse(await readFile(join(folder, file), 'utf8')), found);
  return found.map((text) => text.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.*'));
}

function collect(value: unknown, into: string[]): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (name === 'expr') into.push(String(member));
    else collect(member, into);
  }
}

/** The names of metrics in an expression. @throws Error if it is not PromQL. */
export function findMetricNames(expression: string): string[] {
  const names: string[] = [];
  parser.parse(expression).iterate({
    enter: ({ type, name, from, to }) => {
      if (type.isError) throw new Error(`not PromQL at character ${String(from)}: ${expression}`);
      if (name === 'VectorSelector') {
        const text = expression.slice(from, to);
        names.push(/^[a-z_]+[a-z0-9_]*/i.exec(text)?.[0] ?? text);
      }
    },
  });
  return names;
}

/** The names of metrics in the tables of docs/operations/metrics.md. */
export async function readDocumentedMetrics(): Promise<ReadonlySet<string>> {
  const text = await readFile(join(repositoryRoot, 'docs/operations/metrics.md'), 'utf8');
  const cells = text.split('\n').flatMap((line) => (line.startsWith('| `') ? [line.split('|')[1] ?? ''] : []));
  return new Set(cells.flatMap((cell) => [...cell.matchAll(/`([a-z0-9_]+)`/g)].map(([, name = '']) => name)));
}
