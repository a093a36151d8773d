import { execFile } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, test, vi } from 'vitest';

import { bufferLines } from './logger.ts';

const run = promisify(execFile);

function open(maxBytes: number) {
  const written: string[] = [];
  const sink = { write: (lines: string) => written.push(lines) };
  return { lines: bufferLines({ sink, sinkAtExit: sink, maxBytes }), written };
}

test('writes the lines of a moment together, in order', async () => {
  const { lines, written } = open(100);
  lines.write('one\n');
  lines.write('two\n');
  expect(written).toEqual([]);
  await vi.waitFor(() => expect(written).toEqual(['one\ntwo\n']), 50_000);
});

test('writes at most so many bytes at a time, and a longer line alone', async () => {
  const { lines, written } = open(10);
  for (const line of ['äää\n', 'b\n', 'ccc\n', `${'d'.repeat(20)}\n`, 'e\n']) lines.write(line);
  await vi.waitFor(() => expect(written).toEqual(['äää\nb\n', 'ccc\n', `${'d'.repeat(20)}\n`, 'e\n']), 50_000);
});

test.each(['process.exit(0)', 'throw new Error("fatal")', ''])('loses no line at exit: %s', async (end) => {
  const logger = pathToFileURL(join(import.meta.dirname, 'logger.ts')).href;
  const script = `const { createLogger } = await import('${logger}');
    const logger = createLogger({ level: 'info', pretty: false });
    for (let number = 0; number < 5000; number += 1) logger.info({ number }, 'line');
    ${end}`;
  const child = await run(process.execPath, ['--input-type=module', '--eval', script], { maxBuffer: 2 ** 24 }).catch(
    (error: unknown) => Object(error),
  );
  const numbers = String(child.stdout)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).number);
  expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 5000 }, (_, number) => number));
});
