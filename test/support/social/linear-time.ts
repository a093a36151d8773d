const shortLength = 4 * 1024;
const factor = 16;
const attempts = 4;
const maxAttempts = 20;

/** Growth below this counts as linear and leaves room for garbage collection; quadratic work grows by about 16. */
export const maxLinearGrowth = 6;

/**
 * Measures how much longer `work` takes for 64 KB at once than for 4 KB sixteen times: about 1 if it is linear, about
 * 16 if it is quadratic. Both are the same amount of text, so a busy machine delays them equally. The fastest of
 * several attempts counts; there are more attempts if the result looks quadratic.
 */
export function measureGrowth(piece: string, work: (text: string) => void): number {
  const short = piece.repeat(Math.ceil(shortLength / piece.length));
  const long = short.repeat(factor);
  const best = { short: Infinity, long: Infinity };
  // Durations below a millisecond are too short to compare.
  const growth = () => best.long / Math.max(best.short, 1);
  for (let attempt = 0; attempt < attempts || (attempt < maxAttempts && growth() > maxLinearGrowth); attempt += 1) {
    const repeatShort = () => {
      for (let round = 0; round < factor; round += 1) work(short);
    };
    best.short = Math.min(best.short, durationOf(repeatShort));
    best.long = Math.min(
      best.long,
      durationOf(() => work(long)),
    );
  }
  return growth();
}

/** Milliseconds of CPU time of this thread; of elapsed time before Node 23.9, which cannot report the CPU time. */
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

/** Pieces of text that, repeated, make a parser with quadratic behaviour slow. */
export const adversarialInputs = [
  ...['@', '#', 'a@', '@alice_', '@alice_ ', '#a', '#a ', '🙂#', 'a.', 'a.b.', '-', 'a-', '@a.', '0', ' ', '\u00a0 '],
  ...['http://', 'https://a.b/(', 'http://a.bc ', 'http://a.bc #x @alice ', 'http://[', 'http://a@', 'mailto:', '//'],
  ...['\u0301', 'e\u0301', '((((', '&#39;', "'", 'xn--', 'a:1', '日', 'x y '],
];
