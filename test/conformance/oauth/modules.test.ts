import { join } from 'node:path';

import { createRemoteJWKSet } from 'jose';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { serveRoutes } from '../../clients/small-server.ts';
import { repositoryRoot } from '../../support/service.ts';
import { createStage } from './modules/module.ts';
import type { Modules, Stage } from './modules/module.ts';
import { fapi2 } from './modules/fapi2.ts';
import { oidccBackchannelLogout } from './modules/oidcc-backchannel-logout.ts';
import { createBasicModules } from './modules/oidcc-basic.ts';
import { oidccConfig } from './modules/oidcc-config.ts';
import { oidccRpInitiatedLogout, registerForLogout } from './modules/oidcc-logout.ts';
import { createSuite, describeResult, expectedOf } from './modules/suite.ts';
import type { ResponseMode, Setting, SuiteModules } from './modules/suite.ts';
import { createWorld } from './world.ts';

/**
 * Reimplements modules of the OpenID Foundation's conformance suite under their own names. The suite itself is not
 * run here: that is for certification. The results are in docs/conformance-modules.md.
 */

interface Plan {
  readonly title: string;
  readonly mode: ResponseMode;
  readonly modules: SuiteModules;
}

const plans: readonly Plan[] = [
  {
    title: 'OpenID Connect, configuration (`oidcc-config-certification-test-plan`)',
    mode: 'default',
    modules: oidccConfig,
  },
  {
    title: 'OpenID Connect, basic (`oidcc-basic-certification-test-plan`)',
    mode: 'default',
    modules: createBasicModules('default'),
  },
  {
    title: 'OpenID Connect, form post (`oidcc-formpost-basic-certification-test-plan`)',
    mode: 'form_post',
    modules: createBasicModules('form_post'),
  },
  {
    title: 'RP-initiated logout (`oidcc-rp-initiated-logout-certification-test-plan`)',
    mode: 'default',
    modules: oidccRpInitiatedLogout,
  },
  {
    title: 'Back-channel logout (`oidcc-backchannel-rp-initiated-logout-certification-test-plan`)',
    mode: 'default',
    modules: oidccBackchannelLogout,
  },
];

let setting: Setting;
let strictStage: Stage;
const cleanup = new AsyncDisposableStack();
beforeAll(async () => {
  const service = inject('service');
  const world = await createWorld(service);
  const [strict] = world.strict;
  const stage = await createStage(world);
  strictStage = { ...stage, world: { ...world, signing: strict } };
  const { modules: logoutHost } = service.logoutHosts;
  const logoutRequests: URLSearchParams[] = [];
  const routes = {
    'POST /backchannel_logout': async ({ form }: { readonly form: URLSearchParams }) => {
      logoutRequests.push(form);
      return { html: '' };
    },
  };
  cleanup.use(await serveRoutes(new URL(`http://${logoutHost}`), routes));
  const second = await registerForLogout(world, logoutHost);
  const keys = createRemoteJWKSet(new URL(String(stage.metadata['jwks_uri'])));
  setting = { stage, second, visitor: stage.visitor, keys, logoutRequests };
});
afterAll(() => cleanup.disposeAsync());

describe.each(plans)('$title', ({ mode, modules }) => {
  test.each(Object.entries(modules))('%s', async (_name, module) => {
    const suite = createSuite(setting, mode);
    await module.run(suite);
    expect(suite.noted()).toEqual(expectedOf(module));
  });
});

describe('FAPI 2.0 security profile (`fapi2-security-profile-final-test-plan`)', () => {
  const applicable = Object.entries<Modules[string]>(fapi2).flatMap(([name, run]) =>
    typeof run === 'string' ? [] : [[name, run] as const],
  );
  test.each(applicable)('%s', async (_name, run) => {
    expect(await run(strictStage)).toBeUndefined();
  });
});

test('docs/conformance-modules.md lists the results of these modules', async () => {
  await expect(document()).toMatchFileSnapshot(join(repositoryRoot, 'docs/conformance-modules.md'));
});

type Row = readonly [name: string, result: string];

const describePlan = (title: string, rows: readonly Row[]): string => {
  const lines = rows.map(([name, result]) => `| \`${name}\` | ${result} |`);
  return `## ${title}\n\n| module | result |\n| --- | --- |\n${lines.join('\n')}\n`;
};

function document(): string {
  const parts = plans.map(({ title, modules }) =>
    describePlan(
      title,
      Object.entries(modules).map(([name, module]) => [name, describeResult(module)]),
    ),
  );
  const fapi2Rows = Object.entries<Modules[string]>(fapi2).map(([name, run]): Row => [
    name,
    typeof run === 'string' ? `not applicable: ${run}` : 'passes',
  ]);
  return `# Modules of the OpenID Foundation's conformance suite

Each module of six of the suite's test plans has a test of the same name, which makes the module's requests to the
running service and checks its conditions (\`test/conformance/oauth/modules\`). This is not a certification: the tests do
not run the suite itself. \`test/conformance/oauth/modules.test.ts\` generates and checks this table.

- The client is registered beforehand (\`static_client\`), with \`client_secret_basic\`. Three modules need a client that
  registers itself, and use one: \`oidcc-idtoken-signature\`, \`oidcc-idtoken-unsigned\` and \`oidcc-request-uri-unsigned-…\`.
- **passes**: no condition fails, and none gives a warning. **warning**: the suite reports the condition and passes the
  module. **to review**: the suite asks for a screenshot of the page, which a person has to judge. **skipped**: the module
  tests an optional feature that the metadata does not list. **fails**: a condition fails.
- The suite requires https. The service of the tests has http; the tests check that all addresses have the issuer's origin.
- The modules of FAPI 2.0 run with a strict application.

${[...parts, describePlan('FAPI 2.0 security profile (`fapi2-security-profile-final-test-plan`)', fapi2Rows)].join('\n')}`;
}
