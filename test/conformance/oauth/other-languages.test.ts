import { beforeAll, describe, expect, inject, test } from 'vitest';

import { isInstalled, languages, prepare, runProgram } from './programs.ts';
import { createWorld } from './world.ts';
import type { World } from './world.ts';

/**
 * Client libraries in other languages, with their default settings. They come from the registries of their languages,
 * so only `pnpm test:long` runs them. Languages that are not installed are skipped.
 */
const isLong = process.env['OTHER_LANGUAGES'] === 'yes';

let world: World;
beforeAll(async () => {
  if (isLong) world = await createWorld(inject('service'));
});

const cases = await Promise.all(
  languages.map(async (language) => {
    if (!isLong) return { language, title: `${language.name} (runs in pnpm test:long)`, isSkipped: true };
    const isSkipped = !(await isInstalled(language));
    return { language, title: isSkipped ? `${language.name} (not installed)` : language.name, isSkipped };
  }),
);

describe.each(cases)('$title', ({ language, isSkipped }) => {
  let command: readonly string[];
  beforeAll(async () => {
    if (!isSkipped) command = await prepare(language);
  }, 900_000);

  const flowsOfAll = Object.entries(language.libraries).flatMap(([library, flows]) =>
    flows.map((flow) => ({ library, flow })),
  );
  test.skipIf(isSkipped).each(flowsOfAll)('$library: $flow', async ({ library, flow }) => {
    const isPublic = flow === 'code + PKCE, public' || flow === 'device';
    const application = isPublic ? world.open : world.web;
    const { accessToken, name } = await runProgram(command, { world, application, library, flow });
    const isSignIn = flow === 'sign-in (OpenID Connect)';
    expect(isSignIn ? name : await world.callApi(accessToken)).toBe(isSignIn ? world.personName : 200);
  });
});
