import { join } from 'node:path';

import { beforeAll, describe, expect, inject, test } from 'vitest';

import { repositoryRoot } from '../../support/service.ts';
import { createStage } from './modules/module.ts';
import type { Modules, Stage } from './modules/module.ts';
import { fapi2 } from './modules/fapi2.ts';
import { oidccBasic } from './modules/oidcc-basic.ts';
import { createWorld } from './world.ts';

/**
 * Modules of the OpenID Foundation's conformance suite under their own names, told anew in our words. What they
 * demand is here; the suite itself is run by whoever wants to be certified. docs/conformance-modules.md has the table.
 */

const plans = {
  'OpenID Connect, basic (`oidcc-basic-certification-test-plan`)': oidccBasic,
  'FAPI 2.0 security profile (`fapi2-security-profile-final-test-plan`)': fapi2,
} as const satisfies Readonly<Record<string, Modules>>;

let stage: Stage;
beforeAll(async () => {
  stage = await createStage(await createWorld(inject('service')));
});

describe.each(Object.entries(plans))('%s', (_plan, modules) => {
  const applicable = Object.entries<Modules[string]>(modules).flatMap(([name, run]) =>
    typeof run === 'string' ? [] : [[name, run] as const],
  );
  test.each(applicable)('%s', async (_name, run) => {
    expect(await run(stage)).toBeUndefined();
  });
});

test('docs/conformance-modules.md has the table of what ran here', async () => {
  await expect(document()).toMatchFileSnapshot(join(repositoryRoot, 'docs/conformance-modules.md'));
});

function document(): string {
  const parts = Object.entries(plans).map(([plan, modules]: [string, Modules]) => {
    const rows = Object.entries(modules).map(
      ([name, run]) => `| \`${name}\` | ${typeof run === 'string' ? `not applicable: ${run}` : 'holds'} |`,
    );
    return `## ${plan}\n\n| module | |\n| --- | --- |\n${rows.join('\n')}\n`;
  });
  return `# Modules of the OpenID Foundation's conformance suite

What each module demands, told anew as a test against the running service (\`test/conformance/oauth/modules\`), under
the suite's names. This is no certificate: the suite itself was not run. The table is written and checked by
\`test/conformance/oauth/modules.test.ts\`.

${parts.join('\n')}`;
}
