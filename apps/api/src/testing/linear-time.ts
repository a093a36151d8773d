const small = 4 * 1024;
const factor = 16;
const attempts = 7;

/** Growth below this is linear, collecting garbage included; quadratic readers come to 16. */
export const linear = 6;

/**
 * How much longer `work` takes for 64 KB than for 4 KB, as a multiple of sixteen: about 1 when it is
 * linear, about 16 when it is quadratic. The quickest of several attempts counts, so that a busy
 * machine does not matter.
 */
export function growthOf(piece: string, work: (text: string) => void): number {
  const quickest = (characters: number) => {
    const text = piece.repeat(Math.ceil(characters / piece.length));
    let best = Infinity;
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const start = performance.now();
      work(text);
      best = Math.min(best, performance.now() - start);
    }
    return best;
  };
  quickest(small); // warms up
  // Below a tenth of a millisecond there is nothing to compare.
  return quickest(small * factor) / Math.max(quickest(small), 0.1) / factor;
}

/** Pieces whose repetition makes careless readers of texts slow. */
export const hostilePieces = [
  ...['@', '#', 'a@', '@alice_', '@alice_ ', '#a', '#a ', '🙂#', 'a.', 'a.b.', '-', 'a-', '@a.', '0', ' ', '\u00a0 '],
  ...['http://', 'https://a.b/(', 'http://a.bc ', 'http://a.bc #x @alice ', 'http://[', 'http://a@', 'mailto:', '//'],
  ...['\u0301', 'e\u0301', '((((', '&#39;', "'", 'xn--', 'a:1', '日', 'x y '],
];
