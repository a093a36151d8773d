/** `pnpm measure`: prints the figures of the code beside what they must be; fails when a limit is exceeded. */
import { measureRepository, readLimits } from './measurements.ts';
import { repositoryRoot } from './run-tool.ts';

const { house: goals, limits } = await readLimits();
const { house, figures, details } = await measureRepository(repositoryRoot);
const goal = (name: string) => goals[name];
const rows = [
  ['figure', 'now', 'must', 'aim'],
  ...Object.entries(house).map(([name, now]) => [name, now, goal(name)?.must ?? '', goal(name)?.aim ?? ''].map(String)),
];
const table = rows.map(
  ([name = '', ...numbers]) => `${name.padEnd(41)}${numbers.map((one) => one.padStart(8)).join('')}`,
);
const width = Math.max(...Object.keys(figures).map((name) => name.length));
const lines = Object.entries(figures).map(([name, value]) => {
  const limit = limits[name];
  if (limit === undefined) return `${name.padEnd(width)}  ${String(value).padStart(6)}`;
  const verdict = value > limit ? `above the limit of ${String(limit)}` : `(at most ${String(limit)})`;
  return `${name.padEnd(width)}  ${String(value).padStart(6)}  ${verdict}`;
});
process.stdout.write(`${[...table, '', ...lines, '', ...details].join('\n')}\n`);
const exceeded = [
  ...Object.entries(limits).filter(([name, limit]) => !((figures[name] ?? Number.NaN) <= limit)),
  ...Object.entries(goals).filter(([name, { limit = Infinity }]) => !((house[name] ?? Number.NaN) <= limit)),
].map(([name]) => name);
// Otherwise a wrong path would measure nothing, and nothing is below every limit.
const isComplete = (figures['sources: files'] ?? 0) > 500 && (figures['tests: files'] ?? 0) > 300;
if (exceeded.length > 0 || !isComplete) {
  process.stdout.write(`\n${isComplete ? `Above the limit: ${exceeded.join(', ')}` : 'Not all code was measured.'}\n`);
  process.exitCode = 1;
}
