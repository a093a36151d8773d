import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { createGuideProject } from '../support/guides/guide-project.ts';
import { installGuidePackages } from '../support/guides/guide-packages.ts';
import type { GuidePackages } from '../support/guides/guide-packages.ts';
import { commandsOf, isProgram, readGuides } from '../support/guides/guide-blocks.ts';
import { createReader, runGuide } from '../support/guides/run-guide.ts';

/**
 * Every code block of the documentation runs as a reader would run it: commands pasted into bash and zsh, programs saved after
 * `npm init -y` or in a virtual environment, and run by the commands in their first lines. Responses are those of the service.
 */

const works = async (command: string, ...args: readonly string[]) =>
  await promisify(execFile)(command, args).then(
    () => true,
    () => false,
  );
const service = inject('service');
const guides = await readGuides(service.baseUrl);
const hasPython = await works('python3', '-c', 'import requests, pip, venv');

let packages: GuidePackages;
beforeAll(async () => {
  packages = await installGuidePackages(guides, hasPython);
});
afterAll(async () => await packages[Symbol.asyncDispose]());

/** Programs run once: how they are started is the same in both shells. */
const shells = [
  {
    shell: 'bash',
    title: hasPython ? 'bash' : 'bash, without Python, which is not installed',
    languages: hasPython ? ['ts', 'py'] : ['ts'],
    isInstalled: true,
  },
  { shell: 'zsh', title: 'zsh, commands only', languages: [], isInstalled: await works('zsh', '--version') },
] as const;

describe.each(shells)('in $title:', ({ shell, languages, isInstalled }) => {
  const without = isInstalled ? '' : ' (skipped: it is not installed)';
  const readable = guides.filter(
    ({ groups }) => languages.length > 0 || groups.flat().some(({ language }) => language === 'sh'),
  );
  const readers = new Map<string, Awaited<ReturnType<typeof createReader>>>();

  // One after the other: the command writes to the output of this process.
  beforeAll(async () => {
    if (!isInstalled) return;
    for (const { slug } of readable) readers.set(slug, await createReader(`${shell}_${slug}`, service));
  });

  test.skipIf(!isInstalled).concurrent.each(readable)(
    `$slug: every example works, and responses are as shown${without}`,
    async (guide) => {
      const reader = readers.get(guide.slug);
      if (reader === undefined) throw new Error(`nobody reads ${guide.slug}`);
      const differences = await runGuide(guide, { service, shell, languages, packages: packages.root, reader });
      expect(differences).toEqual([]);
    },
  );

  test.skipIf(!isInstalled)(`the commands of the landing page work when they are pasted${without}`, async () => {
    const { baseUrl } = service;
    const page = await (await fetch(baseUrl, { headers: { accept: 'text/html' } })).text();
    const commands =
      /<code[^>]* data-testid="commands">(.*?)<\/code>/s.exec(page)?.[1]?.replaceAll(/<[^>]*>/g, '') ?? '';
    await using project = await createGuideProject(shell);
    const printed = await project.runShell(`${commands}\n`, async () => undefined);
    expect(printed).toContain(`"issuer":"${baseUrl}"`);
    expect(printed).toContain('"openapi":"3.1');
    expect(printed).toContain('HTTP/1.1 401 Unauthorized');
  });

  const onlyInBash = ['# a comment', "read -r -p 'Your name: ' NAME", 'echo none?such'];
  test.skipIf(!isInstalled).each(['false', 'echo )', ...(shell === 'zsh' ? onlyInBash : [])])(
    `%j would be noticed${without}`,
    async (command) => {
      await using project = await createGuideProject(shell);
      await expect(project.runShell(`${command}\n`, async () => undefined)).rejects.toThrow(/(?:bash|zsh): |status 1/);
    },
  );
});

/** They install libraries, so only `pnpm test:long` runs them, where a language and its libraries can be installed. */
const isLong = process.env['OTHER_LANGUAGES'] === 'yes';
const otherLanguages = [
  { language: 'go', name: 'Go', needs: 'go list -m golang.org/x/oauth2@v0.37.0' },
  { language: 'java', name: 'Java', needs: 'java --version && mvn --version' },
  { language: 'php', name: 'PHP', needs: 'php -r "curl_init();" && composer show --all firebase/php-jwt' },
  { language: 'rb', name: 'Ruby', needs: `ruby -e "gem 'jwt'" || gem specification --remote jwt` },
];
const others = await Promise.all(
  otherLanguages.map(async ({ language, name, needs }) => {
    const isReady = isLong && (await works('sh', '-c', needs));
    const reason = isLong ? 'skipped: it, or a library, cannot be installed' : 'runs in pnpm test:long';
    return { language, isReady, title: isReady ? name : `${name} (${reason})` };
  }),
);

describe.each(others)('in $title:', ({ language, isReady }) => {
  const translated = guides.filter(({ groups }) => groups.flat().some((block) => block.language === language));

  test.skipIf(!isReady).each(translated)(
    '$slug: every program installs what it needs, and works',
    async (guide) => {
      const reader = await createReader(`${language}_${guide.slug}`, service);
      expect(await runGuide(guide, { service, shell: 'bash', languages: [language], reader })).toEqual([]);
    },
    300_000,
  );
});

test('every block is an example that runs, or shows what one prints', () => {
  const blocks = guides.flatMap(({ groups }) => groups.flat());
  expect([...new Set(blocks.map(({ language }) => language))].toSorted()).toEqual([
    '',
    'go',
    'http',
    'java',
    'json',
    'php',
    'py',
    'rb',
    'run',
    'sh',
    'text',
    'ts',
  ]);
  const unknown = blocks.filter(({ language }) => language === '');
  for (const { code } of unknown) expect(code).toMatch(/^https?:\/\/\S+\n$/);
  for (const block of blocks.filter(isProgram)) {
    expect(commandsOf(block).at(-1)).toMatch(/^(?:node|python3|go run|java|php|ruby) .*\.(?:mts|py|go|java|php|rb)$/);
  }
});
