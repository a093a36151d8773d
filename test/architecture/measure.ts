/** `pnpm measure`: prints the figures of the code beside their limits; fails when one is exceeded. */
import { measureRepository, readLimits } from './measurements.ts';
import { repositoryRoot } from './run-tool.ts';

const limits = await readLimits();
const { figures, details } = await measureRepository(repositoryRoot);
const width = Math.max(...Object.keys(figures).map((name) => name.length));
const lines = Object.entries(figures).map(([name, value]) => {
  const limit = limits[name];
  if (limit === undefined) return `${name.padEnd(width)}  ${String(value).padStart(6)}`;
  const verdict = value > limit ? `above the limit of ${String(limit)}` : `(at most ${String(limit)})`;
  return `${name.padEnd(width)}  ${String(value).padStart(6)}  ${verdict}`;
});
process.stdout.write(`${[...lines, '', ...details].join('\n')}\n`);
if (Object.entries(figures).some(([name, value]) => value > (limits[name] ?? value))) process.exitCode = 1;
