// Who may import whom. test/architecture plants violations of each rule and requires that they are found. A type-only import is a `type-import` (test/architecture/imports-only.ts).
import swc from '@swc/core';

import { readImportsOnly } from './test/architecture/imports-only.ts';

swc.parseFileSync = (path) => swc.parseSync(readImportsOnly(path), { syntax: 'typescript' });

/** Rooms and the rooms that they may import. */
const rooms = {
  'apps/api': [
    'packages/accounts',
    'packages/applications',
    'packages/contract',
    'packages/db',
    'packages/media',
    'packages/revocations',
    'packages/service',
    'packages/social',
    'packages/ui',
  ],
  'apps/auth': [
    'packages/accounts',
    'packages/applications',
    'packages/audit',
    'packages/contract',
    'packages/db',
    'packages/keys',
    'packages/media',
    'packages/revocations',
    'packages/service',
    'packages/social',
    'packages/ui',
  ],
  'packages/cli': [
    'apps/api',
    'apps/auth',
    'packages/accounts',
    'packages/applications',
    'packages/audit',
    'packages/backup',
    'packages/db',
    'packages/keys',
    'packages/media',
    'packages/revocations',
    'packages/sdk',
    'packages/service',
    'packages/social',
  ],
  'packages/accounts': ['packages/contract', 'packages/db'],
  'packages/applications': ['packages/accounts', 'packages/contract', 'packages/db'],
  'packages/audit': ['packages/db'],
  'packages/backup': ['packages/db', 'packages/media'],
  'packages/contract': [],
  'packages/db': [],
  'packages/keys': ['packages/contract', 'packages/db', 'packages/revocations', 'packages/service'],
  'packages/media': ['packages/contract', 'packages/db', 'packages/service'],
  'packages/revocations': ['packages/db'],
  'packages/sdk': ['packages/contract'],
  'packages/service': [],
  'packages/social': ['packages/accounts', 'packages/contract', 'packages/db', 'packages/media'],
  'packages/ui': [],
  'packages/web-client': ['packages/sdk'],
};

/** The wings of the authorization server and the wings that they may import (apps/auth/README.md). */
const wings = {
  audit: [],
  pages: ['audit'],
  mail: ['audit', 'pages'],
  protocol: ['audit', 'pages'],
  webhooks: ['audit'],
  'sign-in': ['audit', 'mail', 'pages', 'protocol'],
  areas: ['audit', 'mail', 'pages', 'protocol', 'sign-in', 'webhooks'],
};

const inRooms = '^(apps|packages)/';
/** Tests, and code that rooms provide for tests. */
const testCode = ['[.]test[.]tsx?$'];
const storesAndRoots = ['-store[.]ts$', '/src/(app|main|connections)[.]ts$', '^packages/(accounts|backup|cli|db)/'];

/** What a process or a page starts with, by path. */
const entries = [
  '/(bin|generator|release|assets/script|public)/',
  '/(main|web-client/src/public-page|worker|preparation|hash-thread|decoder-process|card-process)[.]tsx?$',
  '[.]d[.]ts$',
  // For programs outside the repository.
  '^packages/sdk/src/admin[.]ts$',
  // Imported by bin/linnet-sdk.mjs from dist.
  '^packages/sdk/src/listen[.]ts$',
];

/** @param {readonly string[]} names */
const npm = (...names) => names.map((name) => `(^|/)node_modules/${name}/`);

const betweenRooms = [
  ...Object.entries(rooms).map(([room, allowed]) => ({
    name: `room-${room.replace(/.*\//, '')}`,
    comment: `${room} imports ${allowed.length === 0 ? 'no other room' : `only ${allowed.join(', ')}`}`,
    from: { path: `^${room}/` },
    to: { path: inRooms, pathNot: [room, ...allowed].map((one) => `^${one}/`) },
  })),
  {
    name: 'room-unlisted',
    comment: 'a new room needs a row in `rooms`',
    from: { path: inRooms, pathNot: Object.keys(rooms).map((room) => `^${room}/`) },
    to: {},
  },
  {
    name: 'room-by-name',
    comment: 'rooms import each other by package name, through `exports`',
    from: { path: '^((apps|packages|examples)/[^/]+|test)/' },
    to: { pathNot: ['^$1/', '^examples/'], dependencyTypes: ['local'] },
  },
  {
    name: 'examples-stand-alone',
    comment: 'examples use the SDK, as other people do, and no code of the service',
    from: { path: '^examples/' },
    to: { path: [inRooms, '^test/'], pathNot: '^packages/sdk/' },
  },
  {
    name: 'no-import-of-tests',
    comment: 'only tests import test code, and nothing imports an example',
    from: { path: inRooms, pathNot: testCode },
    to: { path: ['^(test|examples)/', ...testCode] },
  },
];

const insideRooms = [
  ...Object.entries(wings).map(([wing, allowed]) => ({
    name: `wing-${wing}`,
    comment: `apps/auth/src/${wing} imports ${allowed.length === 0 ? 'no other wing' : `only ${allowed.join(', ')}`}`,
    from: { path: `^apps/auth/src/${wing}/`, pathNot: testCode },
    to: { path: '^apps/auth/src/', pathNot: [wing, ...allowed].map((one) => `^apps/auth/src/${one}/`) },
  })),
  {
    name: 'areas-stand-alone',
    comment: 'the account area, the developer area and the playground do not import each other',
    from: { path: '^apps/auth/src/areas/(account|admin|developer|playground)/', pathNot: testCode },
    to: { path: '^apps/auth/src/areas/(account|admin|developer|playground)/', pathNot: '^apps/auth/src/areas/$1/' },
  },
  {
    name: 'forms-only-checked',
    comment: 'only pages/form/form-pages.ts routes pages and reads their forms, so that every form is checked',
    from: {
      path: '^apps/auth/src/',
      pathNot: [
        '^apps/auth/src/pages/form/(form-pages|read-form|file-form)[.]ts$',
        '^apps/auth/src/protocol/(authorize/authorization-endpoint|claims/userinfo)[.]ts$',
        ...testCode,
      ],
    },
    to: {
      path: [...npm('@koa/router', 'koa-body'), '^apps/auth/src/pages/form/(read-form|file-form)[.]ts$'],
      dependencyTypesNot: ['type-import'],
    },
  },
  {
    name: 'sign-in-steps',
    comment: 'steps and what they share do not know whether they run in an interaction',
    from: {
      path: '^apps/auth/src/sign-in/[^/]+/',
      pathNot: ['^apps/auth/src/sign-in/(interaction|standalone)/', ...testCode],
    },
    to: { path: '^apps/auth/src/sign-in/(interaction|standalone)/' },
  },
  {
    name: 'prisma-only-in-db',
    comment: 'only packages/db uses Prisma and pg',
    from: { path: inRooms, pathNot: ['^packages/db/', ...testCode] },
    to: { path: npm('@prisma', 'prisma', 'pg') },
  },
  {
    name: 'db-only-in-stores',
    comment:
      'only stores query the database; other modules may import types, errors, periods, the store of packages/db, the storing of rows one by one, transactions that run once, the time in an id, the folding and the words of packages/db',
    from: { path: inRooms, pathNot: [...storesAndRoots, ...testCode] },
    to: {
      path: '^packages/db/',
      pathNot:
        '^packages/db/src/(connection/database-error|text/(fold-case|id-time|search-words)|keep/(retention|status-sample-store)|statement/run-once|store-apart)[.]ts$',
      dependencyTypesNot: ['type-import'],
    },
  },
  {
    name: 'oidc-provider-only-in-protocol',
    comment: 'only apps/auth/src/protocol uses oidc-provider',
    from: { path: inRooms, pathNot: '^apps/auth/src/protocol/' },
    to: { path: npm('oidc-provider', '@types/oidc-provider') },
  },
  {
    name: 'oidc-provider-inside',
    comment: 'only protocol/internals.ts imports internal modules of oidc-provider',
    from: { path: inRooms, pathNot: '^apps/auth/src/protocol/internals[.]ts$' },
    to: { path: npm('oidc-provider'), pathNot: '/oidc-provider/lib/index[.]js$' },
  },
  {
    name: 'endpoints-stand-alone',
    comment: 'endpoints do not import each other; shared code belongs to the domain or to http',
    from: { path: '^apps/api/src/endpoints/', pathNot: testCode },
    to: { path: '^apps/api/src/endpoints/' },
  },
  {
    name: 'domain-without-http',
    comment: 'domain rules do not depend on HTTP',
    from: { path: '^packages/(applications|audit|keys|social)/', pathNot: testCode },
    to: {
      path: npm('koa', '@koa', 'koa-[^/]+', '@types/koa'),
    },
  },
  {
    name: 'sdk-by-itself',
    comment: 'the published client imports no room; its generator, which reads the contract, is in generator/',
    from: { path: '^packages/sdk/src/', pathNot: testCode },
    to: { path: ['^(apps|packages)/(?!sdk/)', '^packages/sdk/(?!src/)'] },
  },
  {
    name: 'contract-on-zod',
    comment: 'packages/contract depends only on zod and its OpenAPI writer',
    from: { path: '^packages/contract/', pathNot: testCode },
    to: { path: '(^|/)node_modules/', pathNot: npm('zod', 'zod-openapi') },
  },
];

const everywhere = [
  { name: 'no-cycle', comment: 'no import cycles, not even of types', from: {}, to: { circular: true } },
  {
    name: 'no-vague-name',
    comment: 'module names say what the module is about',
    from: {},
    to: { path: '/(utils?|helpers?|common|shared|misc|managers?)([.]tsx?$|/)', pathNot: npm('.*') },
  },
  {
    name: 'no-dev-dependency',
    comment: 'code outside tests imports no devDependency; the bundle contains those of packages/cli',
    from: { path: inRooms, pathNot: [...testCode, '/generator/', '^packages/cli/(src|release)/'] },
    to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-import'] },
  },
  { name: 'no-unresolved', comment: 'imports resolve', from: {}, to: { couldNotResolve: true } },
  {
    name: 'no-unreachable',
    comment: 'every module is imported by a program or a page, directly or through others; code for tests is in test/',
    from: { path: entries },
    to: { path: inRooms, pathNot: [...entries, ...testCode], reachable: false },
  },
];

export default {
  forbidden: [...betweenRooms, ...insideRooms, ...everywhere].map((wall) => ({ severity: 'error', ...wall })),
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(apps|packages)/[^/]+/(dist|src/generated)/' },
    enhancedResolveOptions: { conditionNames: ['import', 'node', 'default'], exportsFields: ['exports'] },
  },
};
