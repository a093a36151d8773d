import { join } from 'node:path';

import { createRemoteJWKSet } from 'jose';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { serveRoutes } from '../../clients/small-server.ts';
import { repositoryRoot } from '../../support/service.ts';
import { createStage, parametersOf } from './modules/module.ts';
import type { Modules, Stage } from './modules/module.ts';
import { fapi2 } from './modules/fapi2.ts';
import { oidccBackchannelLogout } from './modules/oidcc-backchannel-logout.ts';
import { createBasicModules } from './modules/oidcc-basic.ts';
import { oidccConfig } from './modules/oidcc-config.ts';
import { oidccRpInitiatedLogout, registerForLogout } from './modules/oidcc-logout.ts';
import { describeResults } from './modules/results-document.ts';
import type { Plan } from './modules/results-document.ts';
import { createSuite, expectedOf } from './modules/suite.ts';
import type { Setting } from './modules/suite.ts';
import { createWorld } from './world.ts';
import type { Visitor } from './world.ts';

/**
 * Reimplements modules of the OpenID Foundation's conformance suite under their own names. The suite itself is not
 * run here: that is for certification. The results are in docs/evidence/conformance-modules.md.
 */

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
/** The modules of FAPI 2.0 that had an authorization response with more than the suite expects. */
const warned = new Set<string>();
let hasUnexpected = false;
const cleanup = new AsyncDisposableStack();
beforeAll(async () => {
  const service = inject('service');
  const world = await createWorld(service);
  const [strict] = world.strict;
  const stage = await createStage(world);
  const consent: Visitor['consent'] = async (address) => {
    const callback = await stage.visitor.consent(address);
    const { code, state: _state, iss: _iss, ...others } = parametersOf(callback);
    hasUnexpected ||= code !== undefined && Object.keys(others).length > 0;
    return callback;
  };
  strictStage = { ...stage, visitor: { ...stage.visitor, consent }, world: { ...world, signing: strict } };
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
  test.each(applicable)('%s', async (name, run) => {
    hasUnexpected = false;
    expect(await run(strictStage)).toBeUndefined();
    if (hasUnexpected) warned.add(name);
  });
});

test('docs/evidence/conformance-modules.md lists the results of these modules', async () => {
  await expect(describeResults(plans, fapi2, warned)).toMatchFileSnapshot(
    join(repositoryRoot, 'docs/evidence/conformance-modules.md'),
  );
});
