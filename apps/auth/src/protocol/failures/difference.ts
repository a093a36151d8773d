/** A stretch of characters that both texts have, or only one of them. */
export interface Stretch {
  readonly kind: 'same' | 'missing' | 'extra';
  readonly text: string;
}

/** Beyond this many characters each, what differs is told as a whole: comparing takes their product. */
const maxCompared = 300;

/**
 * What `presented` has otherwise than `registered`, character by character (longest common subsequence):
 * `missing` is registered and was not sent, `extra` was sent and is not registered.
 */
export function findDifference(registered: string, presented: string): readonly Stretch[] {
  if (registered.length > maxCompared || presented.length > maxCompared) {
    return [...one('missing', registered), ...one('extra', presented)];
  }
  const [ours, theirs] = [[...registered], [...presented]];
  const lengths = compare(ours, theirs);
  const stretches: Stretch[] = [];
  let [i, j] = [0, 0];
  while (i < ours.length && j < theirs.length) {
    const [our = '', their = ''] = [ours[i], theirs[j]];
    if (our === their) {
      stretches.push({ kind: 'same', text: our });
      [i, j] = [i + 1, j + 1];
    } else if (at(lengths, i + 1, j) >= at(lengths, i, j + 1)) {
      stretches.push({ kind: 'missing', text: our });
      i += 1;
    } else {
      stretches.push({ kind: 'extra', text: their });
      j += 1;
    }
  }
  return join([...stretches, ...one('missing', ours.slice(i).join('')), ...one('extra', theirs.slice(j).join(''))]);
}

function one(kind: Stretch['kind'], text: string): readonly Stretch[] {
  return text === '' ? [] : [{ kind, text }];
}

function at(lengths: readonly Uint16Array[], i: number, j: number): number {
  return lengths[i]?.[j] ?? 0;
}

/** How much the ends of two texts have in common, from each pair of places on. */
function compare(first: readonly string[], second: readonly string[]): readonly Uint16Array[] {
  const lengths = Array.from({ length: first.length + 1 }, () => new Uint16Array(second.length + 1));
  for (let i = first.length - 1; i >= 0; i -= 1) {
    for (let j = second.length - 1; j >= 0; j -= 1) {
      const shared =
        first[i] === second[j] ? at(lengths, i + 1, j + 1) + 1 : Math.max(at(lengths, i + 1, j), at(lengths, i, j + 1));
      lengths[i]?.fill(shared, j, j + 1);
    }
  }
  return lengths;
}

function join(stretches: readonly Stretch[]): readonly Stretch[] {
  return stretches.reduce<readonly Stretch[]>((joined, stretch) => {
    const last = joined.at(-1);
    if (last?.kind !== stretch.kind) return [...joined, stretch];
    return [...joined.slice(0, -1), { kind: last.kind, text: last.text + stretch.text }];
  }, []);
}
