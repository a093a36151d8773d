import { roomManifest, rooms } from './planted-repository.ts';
import type { Files } from './planted-repository.ts';

/** Modules without violations: the allowed ways to import. */
export const allowedImports: Files = {
  'apps/api/src/app.ts': `
    import '@linnet/accounts/accounts';
    import '@linnet/db/database';
    import './endpoints/post.ts';`,
  'apps/api/src/endpoints/post.ts': `
    import type { Db } from '@linnet/db/database';
    import '@linnet/db/connection/database-error';
    import '@linnet/social/post-store';
    import '../http/endpoint.tsx';
    export type Database = Db;`,
  'apps/api/src/endpoints/post.store.test.ts': `
    import '@linnet/db/database';
    import '@linnet/test/db/test-database';
    import '@linnet/test/person';
    import 'vitest';
    import './post.ts';`,
  'apps/api/src/http/endpoint.tsx': `import 'koa'; export const view = <p class="x">{'text'}</p>;`,
  'apps/auth/src/app.ts': `
    import './protocol/provider/provider.ts';
    await using database = { async [Symbol.asyncDispose]() {} };`,
  'apps/auth/src/protocol/provider/provider.ts': `import 'oidc-provider'; import '../internals.ts';`,
  'apps/auth/src/protocol/internals.ts': `import 'oidc-provider/lib/inside.js';`,
  'packages/accounts/src/accounts.ts': `import '@linnet/db/database';`,
  'packages/cli/src/main.ts': `
    import '@linnet/api/app';
    import '@linnet/auth/app';
    import '@linnet/db/database';
    export const worker = new URL('worker.ts', import.meta.url);`,
  'packages/cli/src/worker.ts': `import '@linnet/service/log/logger';`,
  'packages/contract/src/routes.ts': `import 'zod'; export const routes = [];`,
  'packages/db/src/database.ts': `import 'pg'; import '@prisma/client'; export interface Db {}`,
  'packages/db/src/connection/database-error.ts': '',
  'packages/db/src/statement/statement.ts': '',
  'test/support/db/test-database.ts': `import 'pg';`,
  'packages/media/src/media-record-store.ts': `import '@linnet/db/statement/statement';`,
  'packages/revocations/src/revocation-store.ts': `import '@linnet/db/statement/statement';`,
  'packages/sdk/generator/one.ts': `import '@linnet/contract/routes';`,
  'packages/service/src/log/logger.ts': '',
  'packages/social/src/post-store.ts': `import '@linnet/db/statement/statement';`,
  'test/e2e/walk.test.ts': `import '@linnet/test/db/test-database'; import './pages.ts';`,
  'test/e2e/pages.ts': '',
  'test/support/person.ts': '',
};

interface Plant {
  /** The rules that must report it. The first is the one under test. */
  readonly rules: readonly [string, ...string[]];
  /** The violating module, and its source. */
  readonly at: string;
  readonly source: string;
  /** Other files that it needs. */
  readonly also?: Files;
}

/** Each wing of apps/auth imports a forbidden wing. */
const plantedInWings: readonly Plant[] = [
  ['audit', 'pages'],
  ['webhooks', 'mail'],
  ['pages', 'protocol'],
  ['mail', 'protocol'],
  ['protocol', 'sign-in'],
  ['sign-in', 'areas'],
  ['areas', 'attic'],
].map(([wing = '', other = '']) => ({
  rules: [`wing-${wing}`],
  at: `apps/auth/src/${wing}/nine.ts`,
  source: `import '../${other}/ten.ts';`,
  also: { [`apps/auth/src/${other}/ten.ts`]: '' },
}));

/** No room may import a type of `packages/cli`. */
const plantedTypes: readonly Plant[] = rooms
  .filter((room) => room !== 'packages/cli')
  .map((room) => ({
    rules: [`room-${room.replace(/.*\//, '')}`, ...(room === 'packages/sdk' ? ['sdk-by-itself'] : [])],
    at: `${room}/src/fourteen.ts`,
    source: `export type Main = typeof import('@linnet/cli/main');`,
  }));

export const plantedImports: readonly Plant[] = [
  ...plantedTypes,
  { rules: ['room-api'], at: 'apps/api/src/one.ts', source: `import '@linnet/auth/app';` },
  { rules: ['room-auth'], at: 'apps/auth/src/one.ts', source: `import '@linnet/api/app';` },
  {
    rules: ['room-cli'],
    at: 'packages/cli/src/one.ts',
    source: `import type { routes } from '@linnet/contract/routes'; export type R = typeof routes;`,
  },
  { rules: ['room-accounts'], at: 'packages/accounts/src/one.ts', source: `import '@linnet/service/log/logger';` },
  { rules: ['room-media'], at: 'packages/media/src/one.ts', source: `import '@linnet/accounts/accounts';` },
  {
    rules: ['room-revocations'],
    at: 'packages/revocations/src/one.ts',
    source: `import '@linnet/service/log/logger';`,
  },
  { rules: ['room-contract'], at: 'packages/contract/src/one.ts', source: `import '@linnet/service/log/logger';` },
  { rules: ['room-db'], at: 'packages/db/src/one.ts', source: `import '@linnet/contract/routes';` },
  { rules: ['room-social'], at: 'packages/social/src/one.ts', source: `import '@linnet/service/log/logger';` },
  {
    rules: ['room-sdk', 'sdk-by-itself'],
    at: 'packages/sdk/src/one.ts',
    source: `import '@linnet/service/log/logger';`,
  },
  {
    rules: ['sdk-by-itself'],
    at: 'packages/sdk/src/two.ts',
    source: `import type { routes } from '@linnet/contract/routes'; export type R = typeof routes;`,
  },
  { rules: ['room-service'], at: 'packages/service/src/one.ts', source: `import '@linnet/contract/routes';` },
  {
    rules: ['room-applications'],
    at: 'packages/applications/src/one.ts',
    source: `import '@linnet/service/log/logger';`,
  },
  { rules: ['room-audit'], at: 'packages/audit/src/one.ts', source: `import '@linnet/service/log/logger';` },
  { rules: ['room-backup'], at: 'packages/backup/src/one.ts', source: `import '@linnet/service/log/logger';` },
  { rules: ['room-keys'], at: 'packages/keys/src/one.ts', source: `import '@linnet/accounts/accounts';` },
  ...plantedInWings,
  {
    rules: ['areas-stand-alone'],
    at: 'apps/auth/src/areas/playground/eleven.ts',
    source: `import '../developer/twelve.ts';`,
    also: { 'apps/auth/src/areas/developer/twelve.ts': '' },
  },
  {
    rules: ['sign-in-steps'],
    at: 'apps/auth/src/sign-in/login/eleven.ts',
    source: `import '../interaction/twelve.ts';`,
    also: { 'apps/auth/src/sign-in/interaction/twelve.ts': '' },
  },
  {
    rules: ['forms-only-checked'],
    at: 'apps/auth/src/sign-in/login/thirteen.ts',
    source: `import '../../pages/form/read-form.ts';`,
    also: { 'apps/auth/src/pages/form/read-form.ts': '' },
  },
  { rules: ['room-web-client'], at: 'packages/web-client/src/one.ts', source: `import '@linnet/contract/routes';` },
  { rules: ['room-ui'], at: 'packages/ui/src/one.ts', source: `import '@linnet/contract/routes';` },
  {
    rules: ['room-unlisted'],
    at: 'packages/attic/src/main.ts',
    source: `import './box.ts';`,
    also: { 'packages/attic/src/box.ts': '' },
  },
  { rules: ['room-unlisted'], at: 'packages/cellar/src/main.ts', source: `import 'zod';` },
  {
    rules: ['examples-stand-alone'],
    at: 'examples/express-sign-in/two.ts',
    source: `import type { A } from '@linnet/test/person'; export type B = A;`,
  },
  {
    rules: ['no-vague-name'],
    at: 'packages/service/src/fifteen.ts',
    source: `import './shared.ts';`,
    also: { 'packages/service/src/shared.ts': '' },
  },
  {
    rules: ['endpoints-stand-alone'],
    at: 'apps/api/src/endpoints/users.ts',
    source: `import './post.ts';`,
  },
  {
    rules: ['contract-on-zod'],
    at: 'packages/contract/src/four.ts',
    source: `import type Koa from 'koa'; export type K = Koa;`,
  },
  { rules: ['no-unresolved'], at: 'packages/ui/src/four.ts', source: `import '@linnet/ui/gone';` },
  {
    rules: ['oidc-provider-only-in-protocol', 'oidc-provider-inside'],
    at: 'apps/auth/src/sign-in/four.ts',
    source: `import 'oidc-provider/lib/inside.js';`,
  },
  { rules: ['room-by-name'], at: 'packages/cli/src/two.ts', source: `import '../../../apps/api/src/app.ts';` },
  { rules: ['room-by-name'], at: 'test/e2e/two.ts', source: `import '../../apps/api/src/app.ts';` },
  { rules: ['room-by-name'], at: 'apps/api/src/two.test.ts', source: `import '../../../test/support/person.ts';` },
  {
    rules: ['room-by-name'],
    at: 'packages/service/src/seven.ts',
    source: `import '../../../outside.ts';`,
    also: { 'outside.ts': '' },
  },
  {
    rules: ['examples-stand-alone'],
    at: 'examples/express-sign-in/one.ts',
    source: `import '@linnet/accounts/accounts';`,
  },
  {
    rules: ['no-import-of-tests'],
    at: 'apps/api/src/three.ts',
    source: `import './endpoints/post.store.test.ts';`,
  },
  {
    rules: ['no-import-of-tests'],
    at: 'packages/cli/src/three.ts',
    source: `import '@linnet/test/person';`,
  },
  {
    rules: ['prisma-only-in-db'],
    at: 'packages/accounts/src/two.ts',
    source: `import 'pg';`,
  },
  {
    rules: ['prisma-only-in-db'],
    at: 'packages/accounts/src/three.ts',
    source: `import type { Prisma } from '@prisma/client'; export type P = Prisma;`,
  },
  {
    rules: ['db-only-in-stores'],
    at: 'apps/api/src/endpoints/post/four.ts',
    source: `import '@linnet/db/database';`,
  },
  {
    rules: ['db-only-in-stores'],
    at: 'apps/api/src/endpoints/post/five.ts',
    source: `
      import type { Db } from '@linnet/db/database';
      export const later: () => Promise<Db> = () => import('@linnet/db/database');`,
  },
  {
    rules: ['oidc-provider-only-in-protocol'],
    at: 'apps/auth/src/four.ts',
    source: `export type Engine = import('oidc-provider').Provider;`,
  },
  {
    rules: ['oidc-provider-inside'],
    at: 'apps/auth/src/protocol/five.ts',
    source: `import 'oidc-provider/lib/inside.js';`,
  },
  {
    rules: ['endpoints-stand-alone'],
    at: 'apps/api/src/endpoints/post/six.ts',
    source: `import '../post.ts';`,
  },
  { rules: ['domain-without-http'], at: 'packages/social/src/seven.ts', source: `import 'koa';` },
  {
    rules: ['domain-without-http'],
    at: 'packages/applications/src/six.ts',
    source: `import 'koa';`,
  },
  { rules: ['contract-on-zod'], at: 'packages/contract/src/two.ts', source: `import 'koa';` },
  {
    rules: ['no-cycle'],
    at: 'apps/auth/src/protocol/seven.ts',
    source: `import type { Eight } from './view.tsx'; export type Seven = 7 | Eight;`,
    also: {
      'apps/auth/src/protocol/view.tsx': `
        import type { Seven } from './seven.ts';
        export type Eight = 8;
        export const view = (seven: Seven) => <p>{seven}</p>;`,
    },
  },
  {
    rules: ['no-vague-name'],
    at: 'apps/auth/src/eight.ts',
    source: `import './pages/utils.ts';`,
    also: { 'apps/auth/src/pages/utils.ts': '' },
  },
  {
    rules: ['no-dev-dependency'],
    at: 'packages/service/src/three.ts',
    source: `import 'vitest';`,
    also: {
      'packages/service/package.json': roomManifest('packages/service', { devDependencies: { vitest: '1.0.0' } }),
    },
  },
  { rules: ['no-unresolved'], at: 'packages/service/src/four.ts', source: `import './gone.ts';` },
  { rules: ['no-unreachable'], at: 'packages/service/src/five.ts', source: '' },
  { rules: ['no-unreachable'], at: 'packages/service/src/six.ts', source: `import './eight.ts';` },
  { rules: ['no-unreachable'], at: 'packages/service/src/eight.ts', source: `import 'zod';` },
];
