/** An account or an application; see `Db.onBehalfOf`. */
export type Caller = string | number | undefined;

/**
 * Takes up to `count` calls: the first call of each caller, then the second of each, and so on. Those taken, and those
 * left, stay in the order in which they came.
 */
export function takeFairly<One extends { readonly caller: Caller }>(
  waiting: One[],
  count: number,
): { readonly taken: readonly One[]; readonly left: One[] } {
  if (waiting.length <= count) return { taken: waiting, left: [] };
  const calls = new Map<Caller, number>();
  const turns = waiting.map(({ caller }) => {
    const turn = calls.get(caller) ?? 0;
    calls.set(caller, turn + 1);
    return turn;
  });
  const order = [...turns.keys()].toSorted((one, other) => (turns[one] ?? 0) - (turns[other] ?? 0) || one - other);
  const chosen = new Set(order.slice(0, count));
  return {
    taken: waiting.filter((_, index) => chosen.has(index)),
    left: waiting.filter((_, index) => !chosen.has(index)),
  };
}
