import { join } from 'node:path';

import { beforeAll, describe, expect, inject, test } from 'vitest';

import { repositoryRoot } from '../../support/service.ts';
import { createStage } from './modules/module.ts';
import type { Modules, Stage } from './modules/module.ts';
import { fapi2 } from './modules/fapi2.ts';
import { oidccBasic } from './modules/oidcc-basic.ts';
import { createWorld } from './world.ts';

/**
 * Reimplements modules of the OpenID Foundation's conformance suite under their own names. The suite itself is not
 * run here: that is for certification. The results are in docs/conformance-modules.md.
 */

const plans = {
  'OpenID Connect, basic (`oidcc-basic-certification-test-plan`)': oidccBasic,
  'FAPI 2.0 security profile (`fapi2-security-profile-final-test-plan`)': fapi2,
} as const satisfies Readonly<Record<string, Modules>>;

let stage: Stage;
let strictStage: Stage;
beforeAll(async () => {
  const world = await createWorld(inject('service'));
  const [strict] = world.strict;
  stage = await createStage(world);
  strictStage = { ...stage, world: { ...world, signing: strict } };
});

describe.each(Object.entries(plans))('%s', (plan, modules) => {
  const applicable = Object.entries<Modules[string]>(modules).flatMap(([name, run]) =>
    typeof run === 'string' ? [] : [[name, run] as const],
  );
  test.each(applicable)('%s', async (_name, run) => {
    expect(await run(plan.startsWith('FAPI') ? strictStage : stage)).toBeUndefined();
  });
});

test('docs/conformance-modules.md lists the results of these modules', async () => {
  await expect(document()).toMatchFileSnapshot(join(repositoryRoot, 'docs/conformance-modules.md'));
});

function document(): string {
  const parts = Object.entries(plans).map(([plan, modules]: [string, Modules]) => {
    const rows = Object.entries(modules).map(
      ([name, run]) => `| \`${name}\` | ${typeof run === 'string' ? `not applicable: ${run}` : 'passes'} |`,
    );
    return `## ${plan}\n\n| module | result |\n| --- | --- |\n${rows.join('\n')}\n`;
  });
  return `# Modules of the OpenID Foundation's conformance suite

Each module of two of the suite's test plans has a test of the same name, which makes the module's requests to the
running service and checks its requirements (\`test/conformance/oauth/modules\`). This is not a certification: the suite
itself has not been run. The modules of FAPI 2.0 run with a strict application. \`test/conformance/oauth/modules.test.ts\` generates and checks this table.

${parts.join('\n')}`;
}
