/**
 * Fills the pages of an account with the most that they can have. Texts consist of characters that become entities in
 * HTML, and addresses of `&`, which URLs may contain.
 */
import type { Db } from '@linnet/db/database';

import { allCalls } from '@linnet/auth/areas/playground/calls';
import { cutToSize } from '@linnet/auth/areas/playground/send';
import { callRequest } from '@linnet/auth/areas/playground/requests';
import { withExchange } from '@linnet/auth/areas/playground/run';
import type { RunContent } from '@linnet/auth/areas/playground/run';
import { createRuns } from '@linnet/auth/areas/playground/runs';
import { secretKeys } from './running-auth.ts';

/** Rows of lists without a limit of their own. */
const many = 500;
const maxApplications = 25;

/** An address of 2048 characters that is registered or linked. `number` makes it unique. */
export function longAddress(number = 0): string {
  return `https://app.example.com/callback?${String(number)}`.padEnd(2048, '&');
}

const addresses = Array.from({ length: 20 }, (_, index) => longAddress(index));
const reason = '&'.repeat(200);
const scopeReasons = Object.fromEntries(
  ['users', 'posts', 'email', 'users:read', 'posts:read', 'posts:propose'].map((s) => [s, reason]),
);

type Prisma = Db['prisma'];

/** Fills every application of the database: settings, links, reasons of scopes, secrets, usage and history. */
async function fillApplications(prisma: Prisma): Promise<void> {
  for (let round = 0; round <= 60; round += 1) {
    const update = prisma.application.updateMany({
      // Those that only fill lists need no history.
      where: round === 60 ? {} : { NOT: { clientId: { startsWith: 'largest_data_app_' } } },
      data: {
        strict: false,
        scopes: Object.keys(scopeReasons),
        optionalScopes: Object.keys(scopeReasons),
        scopeReasons,
        requirePkce: round % 2 === 1,
        accessTokenLifetime: 3000 + round,
        refreshTokenLifetime: 30_000_000 + round,
        postLogoutRedirectUris: round === 60 ? addresses : [longAddress(round).slice(0, 480)],
        backchannelLogoutUri: round === 60 ? longAddress() : longAddress(round).slice(0, 480),
        websiteUri: longAddress(round),
        termsUri: longAddress(round),
        privacyUri: longAddress(round),
      },
    });
    // Hundreds of applications with their history take longer than a request may.
    await prisma.$transaction([prisma.$executeRaw`SET LOCAL statement_timeout = 0`, update]);
  }
  await prisma.$executeRaw`DELETE FROM redirect_uri`;
  await prisma.$executeRaw`
    INSERT INTO redirect_uri (client_id, position, uri)
    SELECT client_id, position, rpad('https://app.example.com/callback?' || position, 2048, '&')
      FROM application, generate_series(0, 19) AS position`;
  await prisma.$executeRaw`DELETE FROM application_secret`;
  await prisma.$executeRaw`
    INSERT INTO application_secret (client_id, sha256, name, expires_at, last_used_at, uses)
    SELECT client_id, sha256((client_id || number)::bytea), repeat('&', 60), now() + interval '3 days', now(), 9e15
      FROM application, generate_series(1, 5) AS number`;
  await prisma.$executeRaw`
    INSERT INTO application_usage (client_id, day, tokens, calls, errors, last_used_at)
    SELECT client_id, current_date - number, 9e14, 9e14, 9e14, now() FROM application, generate_series(0, 60) AS number`;
}

/** Requests to every endpoint on each day that is kept. */
async function fillEndpointUsage(prisma: Prisma, clientId: string): Promise<void> {
  await prisma.$executeRaw`
    INSERT INTO endpoint_usage (client_id, day, endpoint, succeeded, rejected, failed)
    SELECT ${clientId}, current_date - number, 'GET /api/v2.0/account/name_of_endpoint_' || endpoint, 9e14, 9e14, 9e14
      FROM generate_series(0, 90) AS number, generate_series(1, 60) AS endpoint`;
}

/** The failures of the application, each with two addresses that differ in almost every character, and what is watched. */
async function fillFailures(prisma: Prisma, clientId: string): Promise<void> {
  await prisma.$executeRaw`
    INSERT INTO request_log (client_id, kind, endpoint, error, reason, presented, registered)
    SELECT ${clientId}, 'redirect_uri', '/oauth/authorize', 'invalid_redirect_uri', repeat('"', 300),
           repeat('"', 2048), ${longAddress()} FROM generate_series(1, 60)`;
  await prisma.$executeRaw`
    INSERT INTO watched_request (client_id, at, endpoint, request_id)
    SELECT ${clientId}, now(), rpad('GET /', 100, '&'), gen_random_uuid() FROM generate_series(1, 110)`;
}

/** Applications of `ownerId`, up to the limit; `others` of another account, each connected to `ownerId`. */
async function insertApplications(prisma: Prisma, ownerId: number, othersId: number): Promise<void> {
  await prisma.$executeRaw`
    INSERT INTO application (client_id, owner_id, name, type)
    SELECT 'largest_data_app_' || number, CASE WHEN number < ${maxApplications} THEN ${ownerId}::bigint ELSE ${othersId}::bigint END,
           repeat('&', 60), 'confidential'
      FROM generate_series(1, ${maxApplications + many - 1}::int) AS number`;
  await prisma.$executeRaw`
    INSERT INTO "grant" (id, account_id, client_id, kind, scopes, payload, ends_at)
    SELECT client_id, ${ownerId}, client_id, 'consent', ARRAY['users','posts','email','users:read','posts:read'], '{}',
           now() + interval '30 days'
      FROM application WHERE owner_id = ${othersId} AND client_id LIKE 'largest_data_app_%'`;
}

/** Sessions, passkeys, an authenticator app, old usernames and requests to follow. */
async function fillAccount(prisma: Prisma, accountId: number): Promise<void> {
  await prisma.$executeRaw`
    UPDATE account SET protected = true, description = repeat('&', 160), first_name = repeat('&', 25), last_name = repeat('&', 30),
           display_name = repeat('&', 56) WHERE id = ${accountId}`;
  // Its events are in the history of the account, before the longer ones.
  await prisma.$executeRaw`
    INSERT INTO invitation (account_id, code_sha256, note, max_uses, expires_at)
    SELECT ${accountId}, sha256(number::text::bytea), repeat('&', 200), 10, now() + interval '30 days'
      FROM generate_series(1, ${many}::int) AS number`;
  await prisma.$executeRaw`
    INSERT INTO session (uid, account_id, login_epoch, payload, user_agent, address, expires_at)
    SELECT 'session of largest data ' || number, ${accountId}, a.epoch, '{}', repeat('"', 256), repeat('f', 45), now() + interval '9 days'
      FROM account a, generate_series(1, ${many}::int) AS number WHERE a.id = ${accountId}`;
  await prisma.$executeRaw`
    INSERT INTO passkey (account_id, credential_id, public_key, name, transports)
    SELECT ${accountId}, decode(rpad(lpad(number::text, 4, '0'), 2046, 'a'), 'hex'), '\\x00', repeat('&', 60), ARRAY['internal', 'hybrid', 'usb', 'nfc', 'ble']
      FROM generate_series(1, 20) AS number`;
  await prisma.$executeRaw`
    WITH events AS (
      INSERT INTO audit_event (event, actor, account_id, client_id, detail)
      SELECT 'session.begun', 'application', ${accountId}, 'largest_data_app_' || (number % 50 + 1), jsonb_build_object('session', 'session of largest data ' || number)
        FROM generate_series(1, ${many}::int) AS number RETURNING id)
    INSERT INTO audit_address (event_id, address, is_full) SELECT id, 'ffff:ffff:ffff::/48', false FROM events`;
  await prisma.totp.create({ data: { accountId, secretJwe: 'x', lastStep: 1 } });
  await prisma.$executeRaw`
    INSERT INTO account (username, username_ci, email, email_ci, password_hash, first_name, last_name, display_name)
    SELECT name, name, name || '@example.org', name || '@example.org', '-', repeat('&', 25), repeat('&', 30), repeat('&', 56)
      FROM (SELECT rpad('asking_' || number || '_', 32, 'x') AS name FROM generate_series(1, ${many}::int) AS number) AS named`;
  await prisma.$executeRaw`
    INSERT INTO follow_request (follower_id, followed_id)
    SELECT id, ${accountId} FROM account WHERE username LIKE 'asking\\_%'`;
  await prisma.$executeRaw`
    INSERT INTO follow (follower_id, followed_id) SELECT id, ${accountId} FROM account WHERE username LIKE 'asking\\_%'`;
  await fillHidden(prisma, accountId);
}

/** Word filters, mutes and blocks. */
async function fillHidden(prisma: Prisma, accountId: number): Promise<void> {
  await prisma.$executeRaw`
    INSERT INTO word_filter (account_id, text, folded, part, ends_at)
    SELECT ${accountId}, rpad('a' || number, 100, '&'), 'a' || number, true, now() + interval '30 days'
      FROM generate_series(1, 100) AS number`;
  await prisma.$executeRaw`
    INSERT INTO mute (muter_id, muted_id, ends_at)
    SELECT ${accountId}, id, now() + interval '30 days' FROM account WHERE username LIKE 'asking\\_%'`;
  await prisma.$executeRaw`
    INSERT INTO block (blocker_id, blocked_id) SELECT ${accountId}, id FROM account WHERE username LIKE 'asking\\_%'`;
}

/** A run of the playground with ten requests, and responses that are as long as it shows. */
async function fillPlayground(db: Db, run: { readonly accountId: number; readonly clientId: string }): Promise<void> {
  const [call] = allCalls().toSorted((a, b) => b.parameters.length - a.parameters.length);
  if (call === undefined) throw new Error('the contract has no endpoints');
  const typed = Object.fromEntries(
    call.parameters.map(({ name }) => [name, '&'.repeat(Math.floor(500 / call.parameters.length))]),
  );
  const names = ['content-type', 'cache-control', 'ratelimit', 'ratelimit-policy', 'retry-after', 'www-authenticate'];
  let content: RunContent = {
    flow: 'person',
    scope: Object.keys(scopeReasons).join(' '),
    authentication: 'secret',
    verifier: 'v'.repeat(43),
    tokens: {
      access: 'a'.repeat(2000),
      refresh: 'r',
      id: 'i'.repeat(2000),
      scope: Object.keys(scopeReasons).join(' '),
    },
    marks: Array.from({ length: 20 }, String),
    exchanges: [],
  };
  for (let number = 0; number < 10; number += 1) {
    content = withExchange(content, {
      kind: 'call',
      request: callRequest(call, typed, 'idempotency-key'),
      answer: {
        status: 422,
        headers: names.map((name) => [name, '&'.repeat(500)]),
        body: cutToSize('&'.repeat(8000), 8000),
        isCut: true,
      },
      call: { id: call.route.id, typed },
    });
  }
  await createRuns(db, secretKeys).start({ ...run, endsAt: new Date(Date.now() + 600_000), content });
}

export interface LargestData {
  readonly ownerId: number;
  /** Owns the applications that are connected to `ownerId`. */
  readonly othersId: number;
  /** An application of `ownerId`. */
  readonly clientId: string;
}

/** Fills all of it. */
export async function fillLargestData(db: Db, { ownerId, othersId, clientId }: LargestData): Promise<void> {
  await insertApplications(db.prisma, ownerId, othersId);
  await fillApplications(db.prisma);
  await fillEndpointUsage(db.prisma, clientId);
  await fillFailures(db.prisma, clientId);
  await fillAccount(db.prisma, ownerId);
  await fillPlayground(db, { accountId: ownerId, clientId });
  await fillWebhooks(db.prisma, ownerId, clientId);
  await fillApis(db.prisma, ownerId);
  await fillReports(db.prisma, ownerId);
}

/** The case with the most reports. */
export const largestCaseId = '1';

/** 60 cases; the first with 25 reports, as many as a page shows and some more. */
async function fillReports(prisma: Prisma, accountId: number): Promise<void> {
  await prisma.$executeRaw`
    INSERT INTO report_case (id, subject_type, subject_id, account_id, post_id)
    SELECT number, 'post', number, ${accountId}, number FROM generate_series(1, 60) AS number`;
  await prisma.$executeRaw`
    INSERT INTO report (case_id, reason, text, content)
    SELECT GREATEST(1, number - 24), 'self_harm', repeat('&', 1000), repeat('&', 400) || number FROM generate_series(1, 84) AS number`;
}

/** 5 endpoints, with 20 messages each. */
async function fillWebhooks(prisma: Prisma, accountId: number, clientId: string): Promise<void> {
  await prisma.$executeRaw`
    INSERT INTO webhook_endpoint (id, client_id, url, events, secret_jwe, failing_since)
    SELECT number, ${clientId}, rpad('https://example.com/' || number || '/', 2048, '&'), '{follow_request.created}', '-', now()
      FROM generate_series(1, 5) AS number`;
  await prisma.$executeRaw`
    INSERT INTO webhook_delivery (endpoint_id, account_id, object, position, kind, actor_id, happened_at, state, attempts, status, duration_ms)
    SELECT endpoint, ${accountId}, 'follow:1:2', message, 'follow_request.created', ${accountId}, now(), 'failed', 20, 500, 15000
      FROM generate_series(1, 5) AS endpoint, generate_series(1, 20) AS message`;
}

/** An API of `ownerId`. */
export const largestApiId = '1';

/** 10 APIs with 30 scopes each, with ids from `largestApiId`, and 20 entries in their history. */
async function fillApis(prisma: Prisma, ownerId: number): Promise<void> {
  await prisma.$executeRaw`
    INSERT INTO resource_server (id, identifier, owner_id, name, scopes, scope_descriptions)
    SELECT number, rpad('https://api.example.com/' || number || '/', 512, '&'), ${ownerId}, repeat('&', 60), names,
           (SELECT jsonb_object_agg(name, repeat('&', 200)) FROM unnest(names) AS name)
      FROM generate_series(1, 10) AS number,
           (SELECT array_agg(rpad(scope::text, 64, '&')) AS names FROM generate_series(1, 30) AS scope) AS scopes`;
  await prisma.$executeRaw`
    UPDATE resource_server SET name = repeat('<', 60), scopes = scopes[2:30] || scopes[1:1] WHERE owner_id = ${ownerId}`;
}

export const connectedClientId = `largest_data_app_${String(maxApplications)}`;
