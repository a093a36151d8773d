// Constraints that the migrations enforce for every row, whichever program writes it.
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { invalidFactorRows, factorTables } from '@linnet/test/db/invalid-factor-rows';
import { invalidMailRows } from '@linnet/test/db/invalid-mail-rows';
import { invalidPostRows } from '@linnet/test/db/invalid-post-rows';
import { invalidNotificationSettings, invalidNotifications } from '@linnet/test/db/invalid-notifications';
import { invalidMentions } from '@linnet/test/db/invalid-mentions';
import { invalidReportRows } from '@linnet/test/db/invalid-report-rows';
import { invalidTimelineRows } from '@linnet/test/db/invalid-timeline-rows';
import { invalidPlaygroundRows } from '@linnet/test/db/invalid-playground-rows';
import { applicationPartRows, otherClientId } from '@linnet/test/db/application-part-rows';
import { applicationRows } from '@linnet/test/db/application-rows';
import { mediaRows } from '@linnet/test/db/media-rows';
import { pairRows, pairTables } from '@linnet/test/db/pair-rows';
import { rows } from '@linnet/test/db/valid-rows';
import type { Row, Table } from '@linnet/test/db/valid-rows';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';

const maxId = 9007199254740991n;

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});

// Each test runs in a transaction that is rolled back.
beforeEach(async () => {
  await client.query('BEGIN');
  for (const table of ['account', 'application'] as const) await insert(table);
  return async () => {
    await client.query('ROLLBACK');
  };
});

afterAll(async () => {
  await client.end();
  await database[Symbol.asyncDispose]();
});

async function insert(table: Table, changes: Row = {}): Promise<void> {
  const row: Row = { ...rows[table], ...changes };
  const columns = Object.keys(row).map((name) => pg.escapeIdentifier(name));
  const placeholders = columns.map((_, index) => `$${String(index + 1)}`);
  await client.query(
    `INSERT INTO ${pg.escapeIdentifier(table)} (${columns.join(', ')}) VALUES (${placeholders.join(', ')})`,
    Object.values(row),
  );
}

/** Returns the constraint that rejects the row, the code of an error without one, or `accepted`. */
async function rejection(work: () => Promise<unknown>): Promise<string> {
  await client.query('SAVEPOINT before');
  try {
    await work();
    return 'accepted';
  } catch (error) {
    await client.query('ROLLBACK TO before');
    if (!(error instanceof pg.DatabaseError)) throw error;
    const rejecter = error.constraint ?? error.code ?? error.message;
    rejecters.add(rejecter);
    return rejecter;
  }
}

const rejecters = new Set<string>();
const tooLong = '22001';
const notNull = '23502';

/** A second account, unlike the first in every unique column. */
const other = { id: 2, username: 'bobby', username_ci: 'bobby', email: 'bob@example.com', email_ci: 'bob@example.com' };
const named = (username: string): Row => ({ ...other, username, username_ci: username.toLowerCase() });
const mailed = (email: string): Row => ({ ...other, email, email_ci: email.toLowerCase() });

describe('account', () => {
  test.each<[rule: string, changes: Row, rejectedBy: string]>([
    ['a second account', other, 'accepted'],
    ['a username of five characters', named('a_b_1'), 'accepted'],
    ['a username of four characters', named('abcd'), 'account_username_check'],
    ['a username of 32 characters', named('x'.repeat(32)), 'accepted'],
    ['a username of 33 characters', named('x'.repeat(33)), tooLong],
    ['a username with a hyphen', named('alice-b'), 'account_username_check'],
    ['a username with a letter that is not ASCII', named('älice'), 'account_username_check'],
    ['a username that ends with a line break', named('alice\n'), 'account_username_check'],
    ['a username that differs only in case', named('ALICE_1'), 'account_username_ci_key'],
    ['a folded username that does not match', { ...other, username_ci: 'bobbx' }, 'account_username_ci_check'],
    ['a folded username in upper case', { ...other, username_ci: 'BOBBY' }, 'account_username_ci_check'],
    ['an e-mail address that differs only in case', mailed('aLICE@EXAMPLE.com'), 'account_email_ci_key'],
    ['a folded address that does not match', { ...other, email_ci: 'x@example.com' }, 'account_email_ci_check'],
    ['an e-mail address of 254 characters', mailed(`${'x'.repeat(242)}@example.com`), 'accepted'],
    ['an e-mail address of 255 characters', mailed(`${'x'.repeat(243)}@example.com`), tooLong],
    ['a first name of 25 characters', { ...other, first_name: 'é'.repeat(25) }, 'accepted'],
    ['a first name of 26 characters', { ...other, first_name: 'é'.repeat(26) }, tooLong],
    ['a last name of 30 characters', { ...other, last_name: 'é'.repeat(30) }, 'accepted'],
    ['a last name of 31 characters', { ...other, last_name: 'é'.repeat(31) }, tooLong],
    ['a display name of 56 characters', { ...other, display_name: 'é'.repeat(56) }, 'accepted'],
    ['a display name of 57 characters', { ...other, display_name: 'é'.repeat(57) }, tooLong],
    ['an appeal without its time', { ...other, appeal: 'x' }, 'account_appeal_check'],
    ['a test person of nobody', { ...other, test_owner_id: 999 }, 'account_test_owner_id_fkey'],
    ['a reason for no limit', { ...other, limit_reason: 'x' }, 'account_limit_check'],
    ['an empty first name', { ...other, first_name: '' }, 'account_names_check'],
    ['an empty last name', { ...other, last_name: '' }, 'account_names_check'],
    ['an empty display name', { ...other, display_name: '' }, 'account_names_check'],
    ['no password hash', { ...other, password_hash: null }, notNull],
    ['an id of 2^53 - 1', { ...other, id: maxId }, 'accepted'],
    ['an id of 2^53', { ...other, id: maxId + 1n }, 'account_id_check'],
    ['the id 0', { ...other, id: 0 }, 'account_id_check'],
    ['a duplicate id', { ...other, id: 1 }, 'account_pkey'],
    ['a negative number of followers', { ...other, followers_count: -1 }, 'account_counts_check'],
    ['a negative number of followed accounts', { ...other, following_count: -1 }, 'account_counts_check'],
    ['a negative number of posts', { ...other, posts_count: -1 }, 'account_counts_check'],
    ['a name key without verification', { ...other, display_name_key: 'a' }, 'account_display_name_key_check'],
    ['an erased account that is not deleted', { ...other, erased_at: '2026-01-01' }, 'account_erased_at_check'],
    ['an erased account that is deleted', { ...other, deleted_at: '2026-01-01', erased_at: '2026-01-15' }, 'accepted'],
  ])('%s', async (_, changes, rejectedBy) => {
    expect(await rejection(async () => await insert('account', changes))).toBe(rejectedBy);
  });

  test('cannot be created with an old name of another account while it is reserved', async () => {
    await insert('old_username');
    const take = async () => await insert('account', named('Alice_0'));
    const count = async () => (await client.query('SELECT FROM account')).rowCount;
    // The trigger skips the row, like ON CONFLICT DO NOTHING.
    expect([await rejection(take), await count()]).toEqual(['accepted', 1]);
    expect(
      await rejection(
        async () => await client.query(`UPDATE account SET username = 'alice_0', username_ci = 'alice_0' WHERE id = 1`),
      ),
    ).toBe('accepted');
    await client.query(`UPDATE account SET username = 'alice_1', username_ci = 'alice_1'`);
    await client.query(`UPDATE old_username SET until = now()`);
    expect([await rejection(take), await count()]).toEqual(['accepted', 2]);
  });

  test('cannot be renamed to an old name of another account', async () => {
    await insert('account', other);
    await insert('old_username');
    const take = async () =>
      await client.query(`UPDATE account SET username = 'Alice_0', username_ci = 'alice_0' WHERE id = 2`);
    expect(await rejection(take)).toBe('account_username_ci_key');
  });

  test('cannot be deleted while it has posts', async () => {
    await insert('post');
    await client.query('DELETE FROM application');
    expect(await rejection(async () => await client.query('DELETE FROM account'))).toBe('post_author_id_fkey');
    await client.query('DELETE FROM post');
    expect(await rejection(async () => await client.query('DELETE FROM account'))).toBe('accepted');
  });
});

describe('post', () => {
  test.each<[rule: string, changes: Row, rejectedBy: string]>([
    ['a text of one character', { text: 'x' }, 'accepted'],
    ['a text of 400 characters outside the basic plane', { text: '😀'.repeat(400) }, 'accepted'],
    ['a text of 401 characters', { text: 'x'.repeat(401) }, 'post_text_check'],
    ['an empty text', { text: '' }, 'post_text_check'],
    ['an author that does not exist', { author_id: 4096 }, 'post_author_id_fkey'],
    ['twenty mentions', { mention_ids: Array.from({ length: 20 }, (_, index) => index + 1) }, 'accepted'],
    ['21 mentions', { mention_ids: Array.from({ length: 21 }, (_, index) => index + 1) }, 'post_mention_ids_check'],
    ['an id of 2^53', { id: maxId + 1n }, 'post_id_check'],
    ['the id 0', { id: 0 }, 'post_id_check'],
    ['a negative number of likes', { likes_count: -1 }, 'post_counts_check'],
    ['a negative number of comments', { comments_count: -1 }, 'post_counts_check'],
    ['a negative number of reposts', { reposts_count: -1 }, 'post_counts_check'],
  ])('%s', async (_, changes, rejectedBy) => {
    expect(await rejection(async () => await insert('post', changes))).toBe(rejectedBy);
  });
});

describe('comment', () => {
  test.each<[rule: string, changes: Row, rejectedBy: string]>([
    ['a text of 1000 characters', { text: '😀'.repeat(1000) }, 'accepted'],
    ['a text of 1001 characters', { text: 'x'.repeat(1001) }, 'comment_text_check'],
    ['an empty text', { text: '' }, 'comment_text_check'],
    ['the id 0', { id: 0 }, 'comment_id_check'],
    ['a post that does not exist', { post_id: 4096 }, 'comment_post_id_fkey'],
    ['an author that does not exist', { author_id: 999 }, 'comment_author_id_fkey'],
  ])('%s', async (_, changes, rejectedBy) => {
    await insert('post');
    expect(await rejection(async () => await insert('comment', changes))).toBe(rejectedBy);
  });
});

describe('set_aside', () => {
  test.each<[rule: string, changes: Row, rejectedBy: string]>([
    ['a duplicate record', {}, 'set_aside_pkey'],
    ['an account that does not exist', { account_id: 999 }, 'set_aside_account_id_fkey'],
    ['an unknown kind', { kind: 'post' }, 'set_aside_kind_check'],
    ['the same id of another kind', { kind: 'follow' }, 'accepted'],
  ])('%s', async (_, changes, rejectedBy) => {
    await insert('set_aside');
    expect(await rejection(async () => await insert('set_aside', changes))).toBe(rejectedBy);
  });
});

describe('post_like', () => {
  test('likes, reposts and comments are deleted with their post', async () => {
    for (const table of ['post', 'comment', 'post_like', 'repost'] as const) await insert(table);
    await client.query('DELETE FROM post');
    for (const table of ['comment', 'post_like', 'repost']) {
      expect((await client.query(`SELECT 1 FROM ${table}`)).rowCount).toBe(0);
    }
  });
});

describe('repost', () => {
  test.each<[rule: string, changes: Row, rejectedBy: string]>([
    ['a duplicate', {}, 'repost_pkey'],
    ['an account that does not exist', { account_id: 999 }, 'repost_account_id_fkey'],
    ['a post that does not exist', { post_id: 999 }, 'repost_post_id_author_id_fkey'],
    ['another author than the post has', { post_id: 2, author_id: 2 }, 'repost_post_id_author_id_fkey'],
  ])('%s', async (_, changes, rejectedBy) => {
    for (const table of ['post', 'repost'] as const) await insert(table);
    await insert('post', { id: 2 });
    expect(await rejection(async () => await insert('repost', changes))).toBe(rejectedBy);
  });
});

describe('media', () => {
  const name = `${'1'.repeat(32)}.jpg`;

  test.each(mediaRows)('%s', async (_, changes, rejectedBy) => {
    await insert('post');
    await insert('media', { post_id: 1 });
    expect(await rejection(async () => await insert('media', { id: 2, name, ...changes }))).toBe(rejectedBy);
  });

  test('is deleted with its post: its files are queued for removal, and the avatar is reset', async () => {
    await insert('post');
    await insert('media', { post_id: 1 });
    await client.query('UPDATE account SET avatar = $1', [rows.media.name]);
    await client.query('DELETE FROM post');
    expect((await client.query('SELECT 1 FROM media')).rowCount).toBe(0);
    expect((await client.query('SELECT avatar FROM account')).rows).toEqual([{ avatar: null }]);
    expect((await client.query('SELECT name FROM removed_media_file')).rows).toEqual([{ name: rows.media.name }]);
  });

  test('an avatar must be existing media', async () => {
    expect(await rejection(async () => await client.query('UPDATE account SET avatar = $1', [name]))).toBe(
      'account_avatar_fkey',
    );
  });

  test('a file is queued for removal once', async () => {
    await insert('removed_media_file');
    expect(await rejection(async () => await insert('removed_media_file'))).toBe('removed_media_file_pkey');
  });
});

describe('old username', () => {
  test.each<[rule: string, changes: Row, rejectedBy: string]>([
    ['a duplicate', {}, 'old_username_pkey'],
    ['a second old name of the account', { username_ci: 'alice_2' }, 'accepted'],
    ['upper case', { username_ci: 'Alice' }, 'old_username_username_ci_check'],
    ['four characters', { username_ci: 'alic' }, 'old_username_username_ci_check'],
    ['an account that does not exist', { username_ci: 'alice_2', account_id: 999 }, 'old_username_account_id_fkey'],
  ])('%s', async (_, changes, rejectedBy) => {
    await insert('old_username');
    expect(await rejection(async () => await insert('old_username', changes))).toBe(rejectedBy);
  });
});

describe.each(pairTables)('%s', (table, own, another) => {
  test.each(pairRows(table, own, another))('%s', async (_, changes, rejectedBy) => {
    await insert('account', other);
    await insert(table);
    expect(await rejection(async () => await insert(table, changes))).toBe(rejectedBy);
  });
});

const keyed = (changes: Row): Row => ({ client_id: 'x'.repeat(16), ...changes });

describe('application', () => {
  test.each(applicationRows)('%s', async (_, changes, rejectedBy) => {
    expect(await rejection(async () => await insert('application', changes))).toBe(rejectedBy);
  });

  test('is deleted with its redirect URIs, secrets and grants', async () => {
    for (const table of ['redirect_uri', 'application_secret', 'grant'] as const) await insert(table);
    await client.query('DELETE FROM application');
    for (const table of ['redirect_uri', 'application_secret', '"grant"']) {
      expect((await client.query(`SELECT 1 FROM ${table}`)).rowCount).toBe(0);
    }
  });

  test('the position of a redirect URI is unique', async () => {
    await insert('redirect_uri');
    expect(await rejection(async () => await insert('redirect_uri'))).toBe('redirect_uri_pkey');
    expect(await rejection(async () => await insert('redirect_uri', { position: 1 }))).toBe('accepted');
    const long = { position: 2, uri: 'x'.repeat(2049) };
    expect(await rejection(async () => await insert('redirect_uri', long))).toBe(tooLong);
  });

  test.each(applicationPartRows)('%s in %s', async (_rule, table, changes, rejectedBy) => {
    await insert('application', { client_id: otherClientId });
    const parts = ['application_logo', 'grant', 'resource_server'] as const;
    const pushed = ['webhook_endpoint', 'webhook_delivery', 'push_subscription', 'token_status'] as const;
    for (const part of [...parts, ...pushed]) await insert(part);
    expect(await rejection(async () => await insert(table, changes))).toBe(rejectedBy);
  });
});

describe('grant', () => {
  test('an application has one active grant to act as its owner', async () => {
    await insert('grant');
    expect(await rejection(async () => await insert('grant', { id: 'grant-2' }))).toBe('grant_act_as_owner_key');
    await client.query('UPDATE "grant" SET revoked_at = now()');
    expect(await rejection(async () => await insert('grant', { id: 'grant-2' }))).toBe('accepted');
  });

  test.each<[rule: string, changes: Row, rejectedBy: string]>([
    ['an account that does not exist', { account_id: 999 }, 'grant_account_id_fkey'],
    ['an application that does not exist', keyed({}), 'grant_client_id_fkey'],
    ['a duplicate number', { number: 1 }, 'grant_number_key'],
    ['act_as_owner with an expiry', { ends_at: '2030-01-01' }, 'grant_ends_at_check'],
  ])('rejects %s', async (_, changes, rejectedBy) => {
    await insert('grant', { id: 'grant-0', kind: 'consent', number: 1, ends_at: '2030-01-01' });
    expect(await rejection(async () => await insert('grant', changes))).toBe(rejectedBy);
  });
});

describe('oauth_artifact', () => {
  test.each<[rule: string, changes: Row, rejectedBy: string]>([
    ['a known grant', { grant_id: 'grant-1' }, 'accepted'],
    ['an unknown grant', { grant_id: 'grant-2' }, 'oauth_artifact_grant_id_fkey'],
    ['a payload with the plain id', { payload: { jti: 'secret' } }, 'oauth_artifact_payload_check'],
    ['a digest of the wrong length', { id_sha256: Buffer.alloc(31) }, 'oauth_artifact_id_sha256_check'],
    ['no expiry', { expires_at: null }, notNull],
    ['a chain without a grant', { chain_id: 'chain-1' }, 'oauth_artifact_chain_id_check'],
  ])('%s', async (_, changes, rejectedBy) => {
    await insert('grant');
    expect(await rejection(async () => await insert('oauth_artifact', changes))).toBe(rejectedBy);
  });

  test('ids are unique per kind, and rows are deleted with their grant', async () => {
    expect(await rejection(async () => await insert('ended_chain'))).toBe('ended_chain_grant_id_fkey');
    await insert('grant');
    await insert('oauth_artifact', { grant_id: 'grant-1' });
    await insert('ended_chain');
    expect(await rejection(async () => await insert('oauth_artifact'))).toBe('oauth_artifact_pkey');
    expect(await rejection(async () => await insert('oauth_artifact', { kind: 'RefreshToken' }))).toBe('accepted');
    await client.query('DELETE FROM "grant"');
    expect((await client.query('SELECT kind FROM oauth_artifact')).rows).toEqual([{ kind: 'RefreshToken' }]);
  });
});

describe('idempotency_record', () => {
  test.each([
    ['scope_sha256', 'idempotency_record_scope_sha256_check'],
    ['fingerprint', 'idempotency_record_fingerprint_check'],
  ])('%s of the wrong length', async (column, rejectedBy) => {
    const work = async () => await insert('idempotency_record', { [column]: Buffer.alloc(31) });
    expect(await rejection(work)).toBe(rejectedBy);
  });

  test('a duplicate', async () => {
    await insert('idempotency_record');
    expect(await rejection(async () => await insert('idempotency_record'))).toBe('idempotency_record_pkey');
  });
});

test('a DPoP proof is stored once, by its digest', async () => {
  await insert('dpop_proof');
  expect(await rejection(async () => await insert('dpop_proof'))).toBe('dpop_proof_pkey');
  const short = { id_sha256: Buffer.alloc(31) };
  expect(await rejection(async () => await insert('dpop_proof', short))).toBe('dpop_proof_id_sha256_check');
});

test('a user code belongs to one device', async () => {
  const device = { kind: 'DeviceCode', payload: { userCode: 'WDJBMJHT' } };
  await insert('oauth_artifact', device);
  const again = { ...device, id_sha256: Buffer.alloc(32, 1) };
  expect(await rejection(async () => await insert('oauth_artifact', again))).toBe('oauth_artifact_user_code_key');
});

describe('session', () => {
  test.each<[rule: string, changes: Row, rejectedBy: string]>([
    ['no account', {}, 'accepted'],
    ['an account with a sign-in epoch', { account_id: 1, login_epoch: 0 }, 'accepted'],
    ['an account without an epoch', { account_id: 1 }, 'session_login_epoch_check'],
    ['an epoch without an account', { login_epoch: 0 }, 'session_login_epoch_check'],
    ['an account that does not exist', { account_id: 999, login_epoch: 0 }, 'session_account_id_fkey'],
    ['a payload with the plain cookie', { payload: { jti: 'secret' } }, 'session_payload_check'],
  ])('%s', async (_, changes, rejectedBy) => {
    expect(await rejection(async () => await insert('session', changes))).toBe(rejectedBy);
  });

  test('a cookie belongs to one session', async () => {
    await insert('session');
    expect(await rejection(async () => await insert('session', { uid: 'two' }))).toBe('session_id_sha256_key');
  });
});

describe('revocation', () => {
  test.each<[rule: string, changes: Row, rejectedBy: string]>([
    ['the same id of another kind', { kind: 'client' }, 'accepted'],
    ['no epoch: all tokens', { id: 'grant-2', epoch: null }, 'accepted'],
    ['a duplicate', {}, 'revocation_pkey'],
    ['a token with an epoch', { kind: 'token' }, 'revocation_epoch_check'],
    ['a key with an epoch', { kind: 'key' }, 'revocation_epoch_check'],
    ['a key with the epoch 0: a new state', { kind: 'key', epoch: 0 }, 'accepted'],
    ['no expiry', { id: 'grant-2', expires_at: null }, notNull],
  ])('%s', async (_rule, changes, rejectedBy) => {
    await insert('revocation');
    expect(await rejection(async () => await insert('revocation', changes))).toBe(rejectedBy);
  });
});

test.each<[rule: string, table: 'audit_event' | 'audit_address' | 'request_log', changes: Row, rejectedBy: string]>([
  ['a client that does not exist', 'request_log', { client_id: 'x'.repeat(16) }, 'request_log_client_id_fkey'],
  ['a redirect URI that is valid', 'request_log', { presented: 'https://a.example/' }, 'request_log_presented_check'],
  ['no time at all', 'request_log', { times: 0 }, 'request_log_times_check'],
  ['an account that does not exist', 'audit_event', { account_id: 99 }, 'accepted'],
  ['an event type with a line break', 'audit_event', { event: 'account.renamed\n' }, 'audit_event_event_check'],
  ['a network that is a whole address', 'audit_address', { address: '192.0.2.0/24' }, 'audit_address_is_full_check'],
  ['a detail that is not an object', 'audit_event', { detail: '[]' }, 'audit_event_detail_check'],
])('%s in %s', async (_rule, table, changes, rejectedBy) => {
  expect(await rejection(async () => await insert(table, changes))).toBe(rejectedBy);
});

describe('signing_key', () => {
  test('one key of each algorithm is current, and each state has a start', async () => {
    await insert('signing_key');
    expect(await rejection(async () => await insert('signing_key', { kid: 'two' }))).toBe('signing_key_current_key');
    expect(await rejection(async () => await insert('signing_key', { kid: 'two', alg: 'RS256' }))).toBe('accepted');
    const symmetric = { kid: 'three', alg: 'HS256' };
    expect(await rejection(async () => await insert('signing_key', symmetric))).toBe('signing_key_alg_check');
    expect(await rejection(async () => await insert('signing_key', { state_since: null }))).toBe(notNull);
  });

  test.each(['next', 'retired', 'revoked'])('several keys can be %s', async (state) => {
    await insert('signing_key', { state });
    expect(await rejection(async () => await insert('signing_key', { kid: 'two', state }))).toBe('accepted');
  });

  test.each(['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'])(
    'the public key has no private member %s',
    async (member) => {
      const changes = { public_jwk: { kty: 'EC', [member]: 'secret' } };
      expect(await rejection(async () => await insert('signing_key', changes))).toBe('signing_key_public_jwk_check');
    },
  );
});

test.each(invalidMailRows)('%s %s', async (table, _, changes, rejectedBy) => {
  const others = ['email_change', 'registration_request', 'invitation', 'registration_block'] as const;
  for (const one of [...others, 'account_import'] as const) await insert(one);
  await insert('mail', { id: 2, kind: 'proposals' });
  expect(await rejection(async () => await insert(table, changes))).toBe(rejectedBy);
});

test.each(invalidPostRows)('%s %s', async (table, _, changes, rejectedBy) => {
  await insert('post');
  await insert('post', { id: 2 });
  await insert(table);
  expect(await rejection(async () => await insert(table, changes))).toBe(rejectedBy);
});

test.each(invalidFactorRows)('%s %j', async (table, changes, rejectedBy) => {
  for (const factors of factorTables) await insert(factors);
  expect(await rejection(async () => await insert(table, changes))).toBe(rejectedBy);
});

test.each(invalidMentions)('mention %j', async (changes, rejectedBy) => {
  for (const table of ['post', 'mention'] as const) await insert(table);
  expect(await rejection(async () => await insert('mention', changes))).toBe(rejectedBy);
});

test.each(invalidNotifications)('notification %j', async (changes, rejectedBy) => {
  await insert('notification');
  expect(await rejection(async () => await insert('notification', changes))).toBe(rejectedBy);
});

test.each(invalidNotificationSettings)('notification_setting: %s', async (_rule, changes, rejectedBy) => {
  await insert('notification_setting');
  expect(await rejection(async () => await insert('notification_setting', changes))).toBe(rejectedBy);
});

test.each(invalidTimelineRows)('%s in %s', async (_rule, table, changes, rejectedBy) => {
  for (const one of ['timeline', 'timeline_change'] as const) await insert(one);
  expect(await rejection(async () => await insert(table, changes))).toBe(rejectedBy);
});

test.each(invalidReportRows)('%s %j', async (table, changes, rejectedBy) => {
  for (const one of ['report_case', 'report'] as const) await insert(one);
  expect(await rejection(async () => await insert(table, changes))).toBe(rejectedBy);
});

test.each(invalidPlaygroundRows)('playground_run %j', async (changes, rejectedBy) => {
  await insert('playground_run');
  expect(await rejection(async () => await insert('playground_run', changes))).toBe(rejectedBy);
});

/** Tested in `packages/audit/src`, `migration/`, `shards.store.test.ts` and, of repeats, `failures.store.test.ts` in `apps/auth`. */
const testedElsewhere =
  /^(audit_(seal|repeat|checkpoint)|data_migration)_|_shard_check$|^request_log_.*_fingerprint_key$/;
test('each constraint of the migrations has rejected a row above', async () => {
  const { rows: constraints } = await client.query<{ name: string }>(`
    SELECT conname AS name FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype IN ('c', 'f')
    UNION SELECT indexrelid::regclass::text FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
    WHERE relnamespace = 'public'::regnamespace AND indisunique AND NOT indisprimary
      AND indexrelid <> 'post_id_author_id_key'::regclass`); // implied by the primary key of posts
  expect(constraints.length).toBeGreaterThan(20);
  expect(constraints.filter(({ name }) => !testedElsewhere.test(name) && !rejecters.has(name))).toEqual([]);
});
