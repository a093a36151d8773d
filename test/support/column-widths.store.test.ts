// Names that the service makes up fit their columns: one that is too long would fail every row that is inserted with it.
import { glob, readFile } from 'node:fs/promises';
import { METHODS } from 'node:http';
import { join } from 'node:path';

import { failureCauses, tokenCauses } from '@linnet/applications/failures/causes';
import { ownRoutes, protocolRoutes, registrationPath } from '@linnet/auth/protocol/request/routes';
import { errorCatalogue } from '@linnet/contract/errors';
import { callLimits, oauthLimits, sharedLimits } from '@linnet/contract/limits';
import { blockActs, blockKinds, registrationMarks } from '@linnet/contract/registration-block';
import { routesByName, streamsByName } from '@linnet/contract/routes';
import { expect, inject, test } from 'vitest';

import { createTestDatabase } from './db/test-database.ts';
import { repositoryRoot } from './service.ts';

const calls = Object.values({ ...routesByName, ...streamsByName }).map(({ path }) => `/api/v2.0${path}`);
const protocol = [...protocolRoutes.keys(), ...ownRoutes.keys(), `${registrationPath}/:client_id`];
const ofLength = (length: number) => ['x'.repeat(length)];
/** The URL of a metadata document. */
const clientId = ofLength(256);
/** The /64 of an IPv6 address. */
const network = '2001:0db8:0123:4567:89ab:cdef:0123:4567/64';
/** Ids of oidc-provider, and SHA-256 in base64url. */
const ofProvider = ofLength(43);
const algorithms = ['ES256', 'RS256', 'PS256', 'EdDSA'];

/** The names of audit events: those that the sources write, and those of triggers. */
async function findAuditEvents(): Promise<readonly string[]> {
  const names = new Set<string>();
  const search = async (pattern: string, name: RegExp) => {
    for await (const file of glob(pattern, { cwd: repositoryRoot })) {
      const text = await readFile(join(repositoryRoot, file), 'utf8');
      for (const [, found = ''] of text.matchAll(name)) names.add(found);
    }
  };
  await search('{apps,packages}/*/src/**/*.{ts,tsx}', /event: '([a-z_]+\.[a-z_.]+)'/g);
  await search('prisma/migrations/*/migration.sql', /'([a-z_]+\.[a-z_.]+)'/g);
  return [...names];
}

/** What the service writes, by the name of the column, or by `table.column`. */
const written: Readonly<Record<string, readonly string[]>> = {
  client_id: clientId,
  'draft.call': Object.values(routesByName).flatMap(({ path, isProposable = false }) => (isProposable ? [path] : [])),
  'draft.failure': [...Object.keys(errorCatalogue), 'account-hidden', 'access-ended', 'too-late'],
  'account_import.problem': ofLength(32),
  'imported_item.key': ofLength(255),
  'resource_server.client_id': ofLength(26),
  'revocation.id': clientId,
  'rate_limit.key': Object.keys({ ...oauthLimits, ...callLimits, ...sharedLimits, 'webhook-challenge': true }).map(
    (name) => `api:${name}:${String(clientId)} ${network}`,
  ),
  'request_log.endpoint': [...calls, ...protocol, '/oauth/authorize/:uid', 'backchannel_logout_uri'],
  'request_log.error': [...Object.keys(errorCatalogue), 'unmet_authentication_requirements'],
  'request_log.cause': [...Object.keys(failureCauses), ...tokenCauses],
  'endpoint_usage.endpoint': calls.flatMap((path) => METHODS.map((method) => `${method} ${path}`)),
  'watched_request.endpoint': calls.flatMap((path) => METHODS.map((method) => `${method} ${path}`)),
  request_id: ofLength(36),
  // What is longer is refused.
  issuer: ofLength(255),
  issuer_sid: ofLength(255),
  'upstream_identity.subject': ofLength(255),
  'webhook_delivery.message_id': ofLength(36),
  'audit_checkpoint.key_id': ofLength(16),
  kid: ofProvider,
  'grant.id': ofProvider,
  grant_id: ofProvider,
  'ended_chain.id': ofLength(22),
  'token_status.jti': ofProvider,
  'token_status.gid': ofProvider,
  'token_status.ch': ofLength(22),
  'oauth_artifact.successor_salt': ofLength(22),
  chain_id: ofLength(22),
  uid: ofProvider,
  sid: ofProvider,
  address: [network],
  'oauth_artifact.kind': ['PushedAuthorizationRequest', 'BackchannelAuthenticationRequest'],
  'set_aside.kind': ['comment'],
  'registration_block.kind': blockKinds,
  'registration_block.act': blockActs,
  mark: registrationMarks,
  alg: algorithms,
  access_token_alg: algorithms,
  id_token_signed_response_alg: algorithms,
  token_endpoint_auth_signing_alg: [...algorithms, 'any'],
  'application_logo.name': ofLength(36),
  'media.name': ofLength(36),
  'removed_media_file.name': ofLength(36),
  'push_subscription.endpoint': ofLength(2048),
  'push_subscription.server_key': ofLength(87),
  image: ofLength(36),
  avatar: ofLength(36),
};

/** What people and clients send: the service checks its length, or cuts it. */
const received = new Set([
  ...['username', 'username_ci', 'email', 'email_ci', 'recipient', 'first_name', 'last_name', 'display_name'],
  ...['language', 'name', 'text', 'hashtag', 'blurhash', 'user_agent', 'identifier', 'etag'],
  ...['uri', 'url', 'jwks_uri', 'website_uri', 'terms_uri', 'privacy_uri', 'backchannel_logout_uri'],
  ...[
    'reason',
    'description',
    'suspension_reason',
    'limit_reason',
    'appeal',
    'note',
    'value',
    'presented',
    'registered',
  ],
]);

test('every column has room for the longest text that the service writes into it', async () => {
  await using database = await createTestDatabase(inject('databaseServer'));
  const columns = await database.db.prisma.$queryRaw<readonly Column[]>`
    SELECT table_name AS table, column_name AS name, character_maximum_length AS max FROM information_schema.columns
     WHERE table_schema = current_schema() AND character_maximum_length IS NOT NULL
       AND table_name NOT IN ('_prisma_migrations', 'data_migration')`;
  const events = await findAuditEvents();
  expect(events.length).toBeGreaterThan(40);
  const textsOf = ({ table, name }: Column) =>
    name === 'event' ? events : (written[`${table}.${name}`] ?? written[name] ?? (received.has(name) ? [] : undefined));
  const wrong = columns.flatMap((column) => {
    const tooLong = textsOf(column)?.filter((text) => text.length > column.max) ?? ['is in no table above'];
    return tooLong.map((text) => `${column.table}.${column.name} ${String(column.max)}: ${text}`);
  });
  expect(wrong).toEqual([]);
});

interface Column {
  readonly table: string;
  readonly name: string;
  readonly max: number;
}
