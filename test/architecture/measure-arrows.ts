import { runTool } from './run-tool.ts';

/** What imports what: the keys are modules or rooms. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

type Arrow = readonly [from: string, to: string];

interface CruiseResult {
  readonly modules: readonly {
    readonly source: string;
    readonly dependencies: readonly { readonly resolved: string }[];
  }[];
}

/**
 * Reads the imports between the modules of the repository, imports of types included.
 * @throws Error when dependency-cruiser fails
 */
export async function readImports(root: string): Promise<Graph> {
  const { stdout } = await runTool('depcruise', ['apps', 'packages', '--output-type', 'json'], root);
  const { modules } = JSON.parse(stdout) as CruiseResult; // dependency-cruiser's own format
  return new Map(
    modules.map(({ source, dependencies }) => [source, new Set(dependencies.map(({ resolved }) => resolved))]),
  );
}

/** Merges modules into rooms. `roomOf` returns `undefined` for modules that do not count. */
export function groupModules(modules: Graph, roomOf: (path: string) => string | undefined): Graph {
  const rooms = new Map<string, Set<string>>();
  for (const [path, imported] of modules) {
    const room = roomOf(path);
    if (room === undefined) continue;
    const targets = [...imported].map(roomOf).filter((target) => target !== undefined && target !== room);
    rooms.set(room, new Set([...(rooms.get(room) ?? []), ...targets.filter((target) => target !== undefined)]));
  }
  return rooms;
}

export function listArrows(graph: Graph): readonly Arrow[] {
  return [...graph].flatMap(([from, targets]) => [...targets].map((to): Arrow => [from, to]));
}

/** The arrows on cycles: those whose target leads back to their origin. Without them, the graph has layers. */
export function findBackwardArrows(graph: Graph): readonly Arrow[] {
  return listArrows(graph).filter(([from, to]) => findReachable(graph, to).has(from));
}

/** The pairs that import each other. */
export function findMutualPairs(graph: Graph): readonly Arrow[] {
  return listArrows(graph).filter(([from, to]) => from < to && graph.get(to)?.has(from) === true);
}

function findReachable(graph: Graph, start: string): ReadonlySet<string> {
  const reached = new Set([start]);
  for (const node of reached) for (const target of graph.get(node) ?? []) reached.add(target);
  return reached;
}
