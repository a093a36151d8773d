import { expect, test } from 'vitest';

import { readRepository } from './repository-files.ts';
import { repositoryRoot } from './run-tool.ts';

/**
 * Every form of a page is a row of a table (`createFormPages`), where it is checked. Besides these, the authorization
 * server handles POST requests only in these files, each for the reason given.
 */
const exceptions: Readonly<Record<string, string>> = {
  'apps/auth/src/protocol/request/routes.ts': 'endpoints of the provider: clients authenticate, no cookie counts',
  'apps/auth/src/protocol/authorize/authorization-endpoint.ts': 'redirects to the same request as a URL',
  'apps/auth/src/protocol/client/registration-endpoint.ts': 'clients send JSON and a bearer token, no cookie counts',
  'apps/auth/src/protocol/token/token-management.ts': 'changes responses of the provider',
  'apps/auth/src/protocol/token/direct-client-credentials.ts': 'clients authenticate with a secret, no cookie counts',
  'apps/auth/src/protocol/token/introspection.ts': 'clients authenticate with a secret, no cookie counts',
  'apps/auth/src/protocol/claims/userinfo.ts': 'reads with a bearer token',
  'apps/auth/src/sign-in/register/agent-registration.ts': 'refuses clients that expect dynamic registration',
  'apps/auth/src/sign-in/standalone/overload.tsx': 'refuses sign-ins while the server is overloaded',
  'apps/auth/src/sign-in/upstream/upstream-client.ts': 'sends requests',
  'apps/auth/src/sign-in/upstream/upstream-routes.tsx': 'providers send a signed logout token, no cookie counts',
  'apps/auth/src/areas/admin/api/admin-api.ts': 'clients send a bearer token, no cookie counts',
  'apps/auth/src/areas/playground/calls.ts': 'sends requests',
  'apps/auth/src/areas/playground/requests.ts': 'sends requests',
  'apps/auth/src/areas/playground/run.ts': 'stores requests that were sent',
};

/** Files that handle POST requests, by the ways to write that in Koa. */
function findPostHandlers(files: ReadonlyMap<string, string>): readonly string[] {
  const handles = /['"]POST['"]|\.(?:post|put|patch|del|delete|all)\(\s*(?:['"`]|pagePaths)[^()]*,|new Router\(/;
  return [...files].filter(([, text]) => handles.test(text)).map(([path]) => path);
}

test('only createFormPages routes forms', () => {
  const files = [...readRepository(repositoryRoot, ['.ts', '.tsx'])].filter(
    ([path]) => path.startsWith('apps/auth/src/') && !/\.test\.tsx?$/.test(path),
  );
  expect(files.length).toBeGreaterThan(300);
  const allowed = ['apps/auth/src/pages/form/form-pages.ts', ...Object.keys(exceptions)];
  expect(findPostHandlers(new Map(files)).toSorted()).toEqual(allowed.toSorted());
});

test.each([
  "if (ctx.method === 'POST') await act(ctx);",
  "router.post('/planted', act);",
  'router.all(pagePaths.planted, act);',
  'const router = new Router();',
])('finds a planted route: %s', (source) => {
  expect(findPostHandlers(new Map([['apps/auth/src/areas/planted.ts', source]]))).toHaveLength(1);
});
