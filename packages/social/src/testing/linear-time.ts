const small = 4 * 1024;
const factor = 16;
const attempts = 4;
const maxAttempts = 20;

/** Growth below this is linear, collecting garbage included; quadratic readers come to 16. */
export const linear = 6;

/**
 * How much longer `work` takes for 64 KB at once than for 4 KB sixteen times: about 1 when it is linear,
 * about 16 when it is quadratic. Both are the same amount of text, so that a busy machine delays them
 * alike; the quickest of several attempts counts, more of them when it looks bad.
 */
export function growthOf(piece: string, work: (text: string) => void): number {
  const short = piece.repeat(Math.ceil(small / piece.length));
  const long = short.repeat(factor);
  const best = { short: Infinity, long: Infinity };
  // Below a millisecond there is nothing to compare.
  const growth = () => best.long / Math.max(best.short, 1);
  for (let attempt = 0; attempt < attempts || (attempt < maxAttempts && growth() > linear); attempt += 1) {
    const shortOnes = () => {
      for (let round = 0; round < factor; round += 1) work(short);
    };
    best.short = Math.min(best.short, durationOf(shortOnes));
    best.long = Math.min(
      best.long,
      durationOf(() => work(long)),
    );
  }
  return growth();
}

/** Milliseconds of this thread's processor time, where Node tells it (from 23.9 on). */
function durationOf(work: () => void): number {
  const start = now();
  work();
  return now() - start;
}

function now(): number {
  if (!('threadCpuUsage' in process)) return performance.now();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Pieces whose repetition makes careless readers of texts slow. */
export const hostilePieces = [
  ...['@', '#', 'a@', '@alice_', '@alice_ ', '#a', '#a ', '🙂#', 'a.', 'a.b.', '-', 'a-', '@a.', '0', ' ', '\u00a0 '],
  ...['http://', 'https://a.b/(', 'http://a.bc ', 'http://a.bc #x @alice ', 'http://[', 'http://a@', 'mailto:', '//'],
  ...['\u0301', 'e\u0301', '((((', '&#39;', "'", 'xn--', 'a:1', '日', 'x y '],
];
