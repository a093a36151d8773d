import type { Modules } from './module.ts';
import { describeResult } from './suite.ts';
import type { ResponseMode, SuiteModules } from './suite.ts';

/** One of the suite's test plans. */
export interface Plan {
  readonly title: string;
  readonly mode: ResponseMode;
  readonly modules: SuiteModules;
}

type Row = readonly [name: string, result: string];

/**
 * Modules that pass are counted; the table explains all others, those with the same result together. It leaves out those
 * that the table of another plan explains with the same result.
 */
const describePlan = (title: string, rows: readonly Row[], elsewhere: readonly Row[] = []): string => {
  const explained = new Set(elsewhere.map((row) => row.join(' ')));
  const others = rows.filter(([, result]) => result !== 'passes');
  const own = others.filter((row) => !explained.has(row.join(' ')));
  const count = `${String(rows.length - others.length)} of ${String(rows.length)} modules pass.`;
  const summary =
    own.length < others.length ? `${count} Those that are not listed have the results of the basic plan.` : count;
  const results = Map.groupBy(own, ([, result]) => result);
  const table = [...results].map(
    ([result, same]) => `| ${same.map(([name]) => `\`${name}\``).join(', ')} | ${result} |`,
  );
  const head = own.length === 0 ? [] : ['', '| module | result |', '| --- | --- |'];
  return [`## ${title}`, '', summary, ...head, ...table, ''].join('\n');
};

const rowsOf = ({ modules }: Plan): readonly Row[] =>
  Object.entries(modules).map(([name, module]) => [name, describeResult(module)]);

const fapi2Title = 'FAPI 2.0 security profile (`fapi2-security-profile-final-test-plan`)';

const unexpected =
  'warning: `ValidateSuccessfulAuthCodeFlowResponseFromAuthorizationEndpoint`, the callback has `scope`, as our specification demands';

/** docs/evidence/conformance-modules.md. `warned`: the modules of FAPI 2.0 that had a callback with more than the suite expects. */
export function describeResults(plans: readonly Plan[], fapi2: Modules, warned: ReadonlySet<string>): string {
  const basic = plans.find(({ modules, mode }) => mode === 'default' && 'oidcc-server' in modules);
  const parts = plans.map((plan) =>
    describePlan(plan.title, rowsOf(plan), plan === basic || basic === undefined ? [] : rowsOf(basic)),
  );
  const resultOf = (name: string, run: Modules[string]) => {
    if (typeof run === 'string') return run;
    return warned.has(name) ? unexpected : 'passes';
  };
  const fapi2Rows = Object.entries<Modules[string]>(fapi2).map(([name, run]): Row => [name, resultOf(name, run)]);
  return `# Modules of the OpenID Foundation's conformance suite

Each module of six of the suite's test plans has a test of the same name, which makes the module's requests to the
running service and checks its conditions (\`test/conformance/oauth/modules\`). This is not a certification: the tests do
not run the suite itself. \`test/conformance/oauth/modules.test.ts\` generates and checks this table.

- The client is registered beforehand (\`static_client\`), with \`client_secret_basic\`. Three modules run only for
  clients that register themselves: \`oidcc-idtoken-signature\`, \`oidcc-idtoken-unsigned\` and \`oidcc-request-uri-unsigned-…\`.
- The person is signed in, unless a module needs a browser that is not. Otherwise \`oidcc-response-type-missing\` would end
  with a page to review, because errors wait for the person (D106).
- **passes**: no condition fails, and none gives a warning. **warning**: the suite reports the condition and passes the
  module. **to review**: the suite asks for a screenshot of the page, which a person has to judge. **skipped**: the module
  tests an optional feature that the metadata does not list. **fails**: a condition fails.
- The suite requires https. The service of the tests has http; the tests check that all addresses have the issuer's origin.
- The modules of FAPI 2.0 run with a strict application.

${[...parts, describePlan(fapi2Title, fapi2Rows)].join('\n')}`;
}
