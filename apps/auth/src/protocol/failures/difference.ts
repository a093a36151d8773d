/** A run of characters that both texts contain, or only one of them. */
export interface Segment {
  readonly kind: 'same' | 'missing' | 'extra';
  readonly text: string;
}

/**
 * Characters between the common start and the common end. Longer runs are shown as completely different: the
 * comparison takes the product of their lengths, and anyone can send long redirect URIs.
 */
const maxCompared = 32;

/** Whether two characters are equal. */
type Equals = (one: string, other: string) => boolean;

const isSame: Equals = (one, other) => one === other;

/**
 * The differences of `presented` from `registered` by character: `missing` is registered and was not sent, `extra` was
 * sent and is not registered. Takes linear time. Tests count the calls of `equals`.
 */
export function findDifference(registered: string, presented: string, equals = isSame): readonly Segment[] {
  const [ours, theirs] = [[...registered], [...presented]];
  const { before, after } = findShared(ours, theirs, equals);
  const [ourMiddle, theirMiddle] = [ours, theirs].map((text) => text.slice(before, text.length - after));
  return join([
    { kind: 'same', text: ours.slice(0, before).join('') },
    ...compareMiddles(ourMiddle ?? [], theirMiddle ?? [], equals),
    { kind: 'same', text: ours.slice(ours.length - after).join('') },
  ]);
}

/** The lengths of the common start and of the common end after it. */
export function findShared<Text extends string | readonly string[]>(one: Text, other: Text, equals = isSame) {
  const max = Math.min(one.length, other.length);
  const isEqualAt = (i: number, j: number) => equals(one[i] ?? '', other[j] ?? '');
  let before = 0;
  while (before < max && isEqualAt(before, before)) before += 1;
  let after = 0;
  while (after < max - before && isEqualAt(one.length - 1 - after, other.length - 1 - after)) after += 1;
  return { before, after };
}

function compareMiddles(ours: readonly string[], theirs: readonly string[], equals: Equals): readonly Segment[] {
  const isShort = Math.max(ours.length, theirs.length) <= maxCompared;
  const { segments, i, j } = isShort ? align(ours, theirs, equals) : { segments: [], i: 0, j: 0 };
  return [
    ...segments,
    { kind: 'missing', text: ours.slice(i).join('') },
    { kind: 'extra', text: theirs.slice(j).join('') },
  ];
}

/** Aligns both by their longest common subsequence, until one of them ends; `i` and `j` are the positions reached. */
function align(ours: readonly string[], theirs: readonly string[], equals: Equals) {
  const lengths = compare(ours, theirs, equals);
  const segments: Segment[] = [];
  let [i, j] = [0, 0];
  while (i < ours.length && j < theirs.length) {
    const [our = '', their = ''] = [ours[i], theirs[j]];
    if (equals(our, their)) {
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
  return { segments, i, j };
}

function at(lengths: readonly Uint16Array[], i: number, j: number): number {
  return lengths[i]?.[j] ?? 0;
}

/** Lengths of the longest common subsequence of all pairs of suffixes. */
function compare(first: readonly string[], second: readonly string[], equals: Equals): readonly Uint16Array[] {
  const lengths = Array.from({ length: first.length + 1 }, () => new Uint16Array(second.length + 1));
  for (let i = first.length - 1; i >= 0; i -= 1) {
    for (let j = second.length - 1; j >= 0; j -= 1) {
      const shared = equals(first[i] ?? '', second[j] ?? '')
        ? at(lengths, i + 1, j + 1) + 1
        : Math.max(at(lengths, i + 1, j), at(lengths, i, j + 1));
      lengths[i]?.fill(shared, j, j + 1);
    }
  }
  return lengths;
}

/** Joins neighbours of one kind and removes empty segments. */
function join(segments: readonly Segment[]): readonly Segment[] {
  const joined: Segment[] = [];
  for (const { kind, text } of segments) {
    const last = joined.at(-1);
    if (last?.kind === kind) joined.splice(-1, 1, { kind, text: last.text + text });
    else if (text !== '') joined.push({ kind, text });
  }
  return joined;
}
