/** A run of characters that both texts contain, or only one of them. */
export interface Segment {
  readonly kind: 'same' | 'missing' | 'extra';
  readonly text: string;
}

/** Longer texts are shown as completely different: the comparison takes the product of their lengths. */
const maxCompared = 300;

/**
 * The differences of `presented` from `registered` by character (longest common subsequence): `missing` is
 * registered and was not sent, `extra` was sent and is not registered.
 */
export function findDifference(registered: string, presented: string): readonly Segment[] {
  if (registered.length > maxCompared || presented.length > maxCompared) {
    return [...one('missing', registered), ...one('extra', presented)];
  }
  const [ours, theirs] = [[...registered], [...presented]];
  const lengths = compare(ours, theirs);
  const segments: Segment[] = [];
  let [i, j] = [0, 0];
  while (i < ours.length && j < theirs.length) {
    const [our = '', their = ''] = [ours[i], theirs[j]];
    if (our === their) {
      segments.push({ kind: 'same', text: our });
      [i, j] = [i + 1, j + 1];
    } else if (at(lengths, i + 1, j) >= at(lengths, i, j + 1)) {
      segments.push({ kind: 'missing', text: our });
      i += 1;
    } else {
      segments.push({ kind: 'extra', text: their });
      j += 1;
    }
  }
  return join([...segments, ...one('missing', ours.slice(i).join('')), ...one('extra', theirs.slice(j).join(''))]);
}

function one(kind: Segment['kind'], text: string): readonly Segment[] {
  return text === '' ? [] : [{ kind, text }];
}

function at(lengths: readonly Uint16Array[], i: number, j: number): number {
  return lengths[i]?.[j] ?? 0;
}

/** Lengths of the longest common subsequence of all pairs of suffixes. */
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

function join(segments: readonly Segment[]): readonly Segment[] {
  return segments.reduce<readonly Segment[]>((joined, segment) => {
    const last = joined.at(-1);
    if (last?.kind !== segment.kind) return [...joined, segment];
    return [...joined.slice(0, -1), { kind: last.kind, text: last.text + segment.text }];
  }, []);
}
