import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { beforeAll, expect, inject, test } from 'vitest';

import { createGuideProject } from '../support/guides/guide-project.ts';
import { readGuides } from '../support/guides/guide-blocks.ts';
import { createReader, runGuide } from '../support/guides/run-guide.ts';

/**
 * Every code block of the documentation (docs/developers) runs as a reader would run it: shell with curl, TypeScript with the
 * SDK, Python with the SDK or requests. What the guides show has the shape of the real responses.
 */

const guides = readGuides();
const hasPython = await promisify(execFile)('python3', ['-c', 'import requests']).then(
  () => true,
  () => false,
);
const without = hasPython ? '' : ' (without Python, which is not installed)';

const readers = new Map<string, Awaited<ReturnType<typeof createReader>>>();

// One after the other: the command writes to the output of this process.
beforeAll(async () => {
  for (const { slug } of guides) readers.set(slug, await createReader(slug, inject('service')));
});

test.concurrent.each(guides)(`$slug: every example works, and responses are as shown${without}`, async (guide) => {
  const reader = readers.get(guide.slug);
  if (reader === undefined) throw new Error(`nobody reads ${guide.slug}`);
  expect(await runGuide(guide, { service: inject('service'), hasPython, reader })).toEqual([]);
});

test('the commands of the landing page work when they are pasted into a terminal', async () => {
  const { baseUrl } = inject('service');
  const page = await (await fetch(baseUrl, { headers: { accept: 'text/html' } })).text();
  const commands = /<code[^>]* data-testid="commands">(.*?)<\/code>/s.exec(page)?.[1]?.replaceAll(/<[^>]*>/g, '') ?? '';
  await using project = await createGuideProject({});
  const printed = await project.runShell(`${commands}\n`, async () => undefined);
  expect(printed).toContain(`"issuer":"${baseUrl}"`);
  expect(printed).toContain('"openapi":"3.1');
  expect(printed).toContain('HTTP/1.1 401 Unauthorized');
});

test('every block is an example that runs, or shows what one prints', () => {
  const languages = new Set(guides.flatMap(({ groups }) => groups.flat().map(({ language }) => language)));
  expect([...languages].toSorted()).toEqual(['', 'http', 'json', 'py', 'run', 'sh', 'text', 'ts']);
  const unknown = guides.flatMap(({ groups }) => groups.flat().filter(({ language }) => language === ''));
  for (const { code } of unknown) expect(code).toMatch(/^https?:\/\/\S+\n$/);
});
