// The walls of docs/architecture.md, "Who may import whom". test/architecture proves that each of them
// finds what it forbids. An import of types alone is a `type-import` (test/architecture/imports-only.ts).
import swc from '@swc/core';

import { readImportsOnly } from './test/architecture/imports-only.ts';

swc.parseFileSync = (path) => swc.parseSync(readImportsOnly(path), { syntax: 'typescript' });

/** Rooms and the rooms that they may take. The tags in turbo.json say the same of what is declared. */
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
    'packages/db',
    'packages/keys',
    'packages/revocations',
    'packages/sdk',
    'packages/service',
  ],
  'packages/accounts': ['packages/contract', 'packages/db'],
  'packages/applications': ['packages/accounts', 'packages/contract', 'packages/db'],
  'packages/audit': ['packages/db'],
  'packages/contract': [],
  'packages/db': [],
  'packages/keys': ['packages/contract', 'packages/db', 'packages/revocations', 'packages/service'],
  'packages/media': ['packages/contract', 'packages/db', 'packages/service'],
  'packages/revocations': ['packages/db'],
  'packages/sdk': ['packages/contract'],
  'packages/service': [],
  'packages/social': ['packages/accounts', 'packages/contract', 'packages/db', 'packages/media'],
  'packages/ui': [],
};

/** The wings of the authorization server, each with the wings that it may take (apps/auth/README.md). */
const wings = {
  audit: [],
  pages: ['audit'],
  mail: ['audit', 'pages'],
  protocol: ['audit', 'pages'],
  'sign-in': ['audit', 'mail', 'pages', 'protocol'],
  areas: ['audit', 'mail', 'pages', 'protocol', 'sign-in'],
};

const inRooms = '^(apps|packages)/';
/** Tests, and what a room offers to tests. */
const testCode = ['[.]test[.]tsx?$', '/src/testing/'];
const storesAndRoots = ['-store[.]ts$', '/src/(app|main|connections)[.]ts$', '^packages/(accounts|cli|db)/'];

/** @param {readonly string[]} names */
const npm = (...names) => names.map((name) => `(^|/)node_modules/${name}/`);

const betweenRooms = [
  ...Object.entries(rooms).map(([room, allowed]) => ({
    name: `room-${room.replace(/.*\//, '')}`,
    comment: `${room} takes ${allowed.length === 0 ? 'no other room' : `only ${allowed.join(', ')}`}`,
    from: { path: `^${room}/` },
    to: { path: inRooms, pathNot: [room, ...allowed].map((one) => `^${one}/`) },
  })),
  {
    name: 'room-unlisted',
    comment: 'a new room gets a row in `rooms`',
    from: { path: inRooms, pathNot: Object.keys(rooms).map((room) => `^${room}/`) },
    to: {},
  },
  {
    name: 'room-by-name',
    comment: 'another room is taken by its name, through its exports',
    from: { path: '^(apps|packages|test)/([^/]+)/' },
    to: { path: inRooms, pathNot: '^$1/$2/', dependencyTypes: ['local'] },
  },
  {
    name: 'no-import-of-test',
    comment: 'nothing in a room takes anything from test/',
    from: { path: inRooms },
    to: { path: '^test/' },
  },
  {
    name: 'no-import-of-test-code',
    comment: 'only tests take tests and what is there for tests',
    from: { path: inRooms, pathNot: testCode },
    to: { path: testCode },
  },
];

const insideRooms = [
  ...Object.entries(wings).map(([wing, allowed]) => ({
    name: `wing-${wing}`,
    comment: `apps/auth/src/${wing} takes ${allowed.length === 0 ? 'no other wing' : `only ${allowed.join(', ')}`}`,
    from: { path: `^apps/auth/src/${wing}/`, pathNot: testCode },
    to: { path: '^apps/auth/src/', pathNot: [wing, ...allowed].map((one) => `^apps/auth/src/${one}/`) },
  })),
  {
    name: 'prisma-only-in-db',
    comment: 'Prisma and pg stay behind packages/db',
    from: { path: inRooms, pathNot: ['^packages/db/', ...testCode] },
    to: { path: npm('@prisma', 'prisma', 'pg') },
  },
  {
    name: 'db-only-in-stores',
    comment: 'queries live in stores; everything else may name the types of db, and its errors',
    from: { path: inRooms, pathNot: [...storesAndRoots, ...testCode] },
    to: {
      path: '^packages/db/',
      pathNot: '^packages/db/src/database-error[.]ts$',
      dependencyTypesNot: ['type-import'],
    },
  },
  {
    name: 'oidc-provider-only-in-protocol',
    comment: 'the engine stays behind apps/auth/src/protocol',
    from: { path: inRooms, pathNot: '^apps/auth/src/protocol/' },
    to: { path: npm('oidc-provider', '@types/oidc-provider') },
  },
  {
    name: 'oidc-provider-inside',
    comment: 'only protocol/internals.ts reaches into the engine',
    from: { path: inRooms, pathNot: '^apps/auth/src/protocol/internals[.]ts$' },
    to: { path: npm('oidc-provider'), pathNot: '/oidc-provider/lib/index[.]js$' },
  },
  {
    name: 'endpoints-stand-alone',
    comment: 'an endpoint takes no other endpoint; what two of them need is domain or http',
    from: { path: '^apps/api/src/endpoints/', pathNot: testCode },
    to: { path: '^apps/api/src/endpoints/' },
  },
  {
    name: 'domain-without-http',
    comment: 'the nouns and their rules know nothing of HTTP',
    from: { path: '^packages/(applications|audit|keys|social)/', pathNot: testCode },
    to: {
      path: npm('koa', '@koa', 'koa-[^/]+', '@types/koa'),
    },
  },
  {
    name: 'sdk-by-itself',
    comment: 'the published client takes no room; what makes it from the contract lies in generator/',
    from: { path: '^packages/sdk/src/', pathNot: testCode },
    to: { path: ['^(apps|packages)/(?!sdk/)', '^packages/sdk/(?!src/)'] },
  },
  {
    name: 'contract-on-zod',
    comment: 'packages/contract depends on zod, and on what writes its schemas down',
    from: { path: '^packages/contract/', pathNot: testCode },
    to: { path: '(^|/)node_modules/', pathNot: npm('zod', 'zod-openapi') },
  },
];

const everywhere = [
  { name: 'no-cycle', comment: 'no cycles, types included', from: {}, to: { circular: true } },
  {
    name: 'no-vague-name',
    comment: 'a module is named after its idea',
    from: {},
    to: { path: '/(utils?|helpers?|common|shared|misc|managers?)([.]tsx?$|/)', pathNot: npm('.*') },
  },
  {
    name: 'no-undeclared',
    comment: 'what a room takes is in its package.json; vitest is in that of the root',
    from: { path: inRooms },
    to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'], pathNot: npm('vitest') },
  },
  {
    name: 'no-dev-dependency',
    comment: 'what runs takes no devDependency',
    from: { path: inRooms, pathNot: [...testCode, '^packages/sdk/generator/'] },
    to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-import'] },
  },
  { name: 'no-unresolved', comment: 'an import leads somewhere', from: {}, to: { couldNotResolve: true } },
  {
    name: 'no-orphan',
    comment: 'a module is taken by another, or a process or a page starts in it',
    from: { orphan: true, pathNot: ['/src/main[.]ts$', '/bin/', '/assets/script/', '^test/', ...testCode] },
    to: {},
  },
];

export default {
  forbidden: [...betweenRooms, ...insideRooms, ...everywhere].map((wall) => ({ severity: 'error', ...wall })),
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(apps|packages)/[^/]+/(dist|src/generated)/' },
    // `source`: the export condition under which the rooms take each other from their sources.
    enhancedResolveOptions: { conditionNames: ['source', 'import', 'node', 'default'], exportsFields: ['exports'] },
  },
};
