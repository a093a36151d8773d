/** A node of a plan, as EXPLAIN writes it with FORMAT JSON. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Subplan Name'?: string;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
}

/** Tables with a sequential scan. */
export function tablesScanned(node: PlanNode): string[] {
  const own = node['Node Type'].includes('Seq Scan') ? [String(node['Relation Name'])] : [];
  return [...own, ...(node.Plans ?? []).flatMap(tablesScanned)];
}

/** Tables with an index scan that has no condition. */
export function indexesScanned(node: PlanNode): string[] {
  const isWhole = /^Index (Only )?Scan$/.test(node['Node Type']) && node['Index Cond'] === undefined;
  return [...(isWhole ? [String(node['Relation Name'])] : []), ...(node.Plans ?? []).flatMap(indexesScanned)];
}

/** Tables of which a subquery collects rows, to look for one among them. */
export function tablesCollected(plan: PlanNode): string[] {
  const hashed = new Set([...JSON.stringify(plan).matchAll(/hashed (SubPlan \d+)/g)].map(([, name = '']) => name));
  const collect = (node: PlanNode, isWithin: boolean): string[] => {
    const isCollected = isWithin || hashed.has(node['Subplan Name'] ?? '');
    const own = isCollected && node['Relation Name'] !== undefined ? [node['Relation Name']] : [];
    return [...own, ...(node.Plans ?? []).flatMap((child) => collect(child, isCollected))];
  };
  return collect(plan, false);
}
