// What the migrations promise about every row, whichever program writes it.
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { badFactorRows, factorTables } from './testing/bad-factor-rows.ts';
import { badMailRows } from './testing/bad-mail-rows.ts';
import { badPlaygroundRows } from './testing/bad-playground-rows.ts';
import { applicationPartRows, otherClientId } from './testing/application-part-rows.ts';
import { applicationRows } from './testing/application-rows.ts';
import { rows } from './testing/good-rows.ts';
import type { Row, Table } from './testing/good-rows.ts';
import { createTestDatabase } from './testing/test-database.ts';
import type { TestDatabase } from './testing/test-database.ts';

const maxId = 9007199254740991n;

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});

// Each test fills the tables in a transaction that is undone.
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
  const places = columns.map((_, index) => `$${String(index + 1)}`);
  await client.query(
    `INSERT INTO ${pg.escapeIdentifier(table)} (${columns.join(', ')}) VALUES (${places.join(', ')})`,
    Object.values(row),
  );
}

/** The name of the constraint that refuses the row, or the error's code when it has none. */
async function refusal(work: () => Promise<unknown>): Promise<string> {
  await client.query('SAVEPOINT before');
  try {
    await work();
    return 'accepted';
  } catch (error) {
    await client.query('ROLLBACK TO before');
    if (!(error instanceof pg.DatabaseError)) throw error;
    const refuser = error.constraint ?? error.code ?? error.message;
    refusers.add(refuser);
    return refuser;
  }
}

const refusers = new Set<string>();
const tooLong = '22001';
const notNull = '23502';

/** A second account, unlike the first in every unique column. */
const other = { id: 2, username: 'bobby', username_ci: 'bobby', email: 'bob@example.com', email_ci: 'bob@example.com' };
const named = (username: string): Row => ({ ...other, username, username_ci: username.toLowerCase() });
const mailed = (email: string): Row => ({ ...other, email, email_ci: email.toLowerCase() });

describe('account', () => {
  test.each<[rule: string, changes: Row, refusedBy: string]>([
    ['a second account', other, 'accepted'],
    ['a username of five characters', named('a_b_1'), 'accepted'],
    ['a username of four characters', named('abcd'), 'account_username_check'],
    ['a username of 32 characters', named('x'.repeat(32)), 'accepted'],
    ['a username of 33 characters', named('x'.repeat(33)), tooLong],
    ['a username with a hyphen', named('alice-b'), 'account_username_check'],
    ['a username with a letter that is not ASCII', named('älice'), 'account_username_check'],
    ['a username with a line break at its end', named('alice\n'), 'account_username_check'],
    ['a username that differs only in case', named('ALICE_1'), 'account_username_ci_key'],
    [
      'a folded username that does not belong to the username',
      { ...other, username_ci: 'bobbx' },
      'account_username_ci_check',
    ],
    ['a folded username in capitals', { ...other, username_ci: 'BOBBY' }, 'account_username_ci_check'],
    ['an e-mail address that differs only in case', mailed('aLICE@EXAMPLE.com'), 'account_email_ci_key'],
    [
      'a folded e-mail address that does not belong to the address',
      { ...other, email_ci: 'x@example.com' },
      'account_email_ci_check',
    ],
    ['an e-mail address of 254 characters', mailed(`${'x'.repeat(242)}@example.com`), 'accepted'],
    ['an e-mail address of 255 characters', mailed(`${'x'.repeat(243)}@example.com`), tooLong],
    ['a first name of 25 characters', { ...other, first_name: 'é'.repeat(25) }, 'accepted'],
    ['a first name of 26 characters', { ...other, first_name: 'é'.repeat(26) }, tooLong],
    ['a last name of 30 characters', { ...other, last_name: 'é'.repeat(30) }, 'accepted'],
    ['a last name of 31 characters', { ...other, last_name: 'é'.repeat(31) }, tooLong],
    ['a display name of 56 characters', { ...other, display_name: 'é'.repeat(56) }, 'accepted'],
    ['a display name of 57 characters', { ...other, display_name: 'é'.repeat(57) }, tooLong],
    ['an empty first name', { ...other, first_name: '' }, 'account_names_check'],
    ['an empty last name', { ...other, last_name: '' }, 'account_names_check'],
    ['an empty display name', { ...other, display_name: '' }, 'account_names_check'],
    ['no password hash', { ...other, password_hash: null }, notNull],
    ['the greatest id that JSON clients read exactly', { ...other, id: maxId }, 'accepted'],
    ['a greater id', { ...other, id: maxId + 1n }, 'account_id_check'],
    ['the id 0', { ...other, id: 0 }, 'account_id_check'],
    ['an id twice', { ...other, id: 1 }, 'account_pkey'],
    ['fewer than no followers', { ...other, followers_count: -1 }, 'account_counts_check'],
    ['fewer than no followed', { ...other, following_count: -1 }, 'account_counts_check'],
    ['fewer than no posts', { ...other, posts_count: -1 }, 'account_counts_check'],
    ['erased without being deleted', { ...other, erased_at: '2026-01-01' }, 'account_erased_at_check'],
    ['erased after it was deleted', { ...other, deleted_at: '2026-01-01', erased_at: '2026-01-15' }, 'accepted'],
  ])('%s', async (_, changes, refusedBy) => {
    expect(await refusal(async () => await insert('account', changes))).toBe(refusedBy);
  });

  test('does not get the name that another account gave up, until its time is over', async () => {
    await insert('old_username');
    const take = async () => await insert('account', named('Alice_0'));
    const count = async () => (await client.query('SELECT FROM account')).rowCount;
    // Left out, as ON CONFLICT DO NOTHING would.
    expect([await refusal(take), await count()]).toEqual(['accepted', 1]);
    expect(
      await refusal(
        async () => await client.query(`UPDATE account SET username = 'alice_0', username_ci = 'alice_0' WHERE id = 1`),
      ),
    ).toBe('accepted');
    await client.query(`UPDATE account SET username = 'alice_1', username_ci = 'alice_1'`);
    await client.query(`UPDATE old_username SET until = now()`);
    expect([await refusal(take), await count()]).toEqual(['accepted', 2]);
  });

  test('cannot be renamed to a name that another account gave up', async () => {
    await insert('account', other);
    await insert('old_username');
    const take = async () =>
      await client.query(`UPDATE account SET username = 'Alice_0', username_ci = 'alice_0' WHERE id = 2`);
    expect(await refusal(take)).toBe('account_username_ci_key');
  });

  test('cannot be deleted while it has posts', async () => {
    await insert('post');
    await client.query('DELETE FROM application');
    expect(await refusal(async () => await client.query('DELETE FROM account'))).toBe('post_author_id_fkey');
    await client.query('DELETE FROM post');
    expect(await refusal(async () => await client.query('DELETE FROM account'))).toBe('accepted');
  });
});

describe('post', () => {
  test.each<[rule: string, changes: Row, refusedBy: string]>([
    ['a text of one character', { text: 'x' }, 'accepted'],
    ['a text of 400 characters outside of the basic plane', { text: '😀'.repeat(400) }, 'accepted'],
    ['a text of 401 characters', { text: 'x'.repeat(401) }, 'post_text_check'],
    ['an empty text', { text: '' }, 'post_text_check'],
    ['an author that does not exist', { author_id: 999 }, 'post_author_id_fkey'],
    ['twenty mentions', { mention_ids: Array.from({ length: 20 }, (_, index) => index + 1) }, 'accepted'],
    ['21 mentions', { mention_ids: Array.from({ length: 21 }, (_, index) => index + 1) }, 'post_mention_ids_check'],
    ['an id beyond what JSON clients read exactly', { id: maxId + 1n }, 'post_id_check'],
    ['the id 0', { id: 0 }, 'post_id_check'],
    ['fewer than no likes', { likes_count: -1 }, 'post_counts_check'],
    ['fewer than no comments', { comments_count: -1 }, 'post_counts_check'],
    ['fewer than no reposts', { reposts_count: -1 }, 'post_counts_check'],
  ])('%s', async (_, changes, refusedBy) => {
    expect(await refusal(async () => await insert('post', changes))).toBe(refusedBy);
  });
});

describe('comment', () => {
  test.each<[rule: string, changes: Row, refusedBy: string]>([
    ['a text of 1000 characters', { text: '😀'.repeat(1000) }, 'accepted'],
    ['a text of 1001 characters', { text: 'x'.repeat(1001) }, 'comment_text_check'],
    ['an empty text', { text: '' }, 'comment_text_check'],
    ['the id 0', { id: 0 }, 'comment_id_check'],
    ['a post that does not exist', { post_id: 999 }, 'comment_post_id_fkey'],
    ['an author that does not exist', { author_id: 999 }, 'comment_author_id_fkey'],
  ])('%s', async (_, changes, refusedBy) => {
    await insert('post');
    expect(await refusal(async () => await insert('comment', changes))).toBe(refusedBy);
  });
});

describe('set_aside', () => {
  test.each<[rule: string, changes: Row, refusedBy: string]>([
    ['a record twice', {}, 'set_aside_pkey'],
    ['an account that does not exist', { account_id: 999 }, 'set_aside_account_id_fkey'],
    ['another kind', { kind: 'post' }, 'set_aside_kind_check'],
    ['a second kind', { kind: 'follow' }, 'accepted'],
  ])('%s', async (_, changes, refusedBy) => {
    await insert('set_aside');
    expect(await refusal(async () => await insert('set_aside', changes))).toBe(refusedBy);
  });
});

describe('post_like', () => {
  test.each<[rule: string, changes: Row, refusedBy: string]>([
    ['a second like of one account', {}, 'post_like_pkey'],
    ['a post that does not exist', { post_id: 999 }, 'post_like_post_id_author_id_fkey'],
    ['another author than the post has', { post_id: 2, author_id: 2 }, 'post_like_post_id_author_id_fkey'],
    ['an account that does not exist', { account_id: 999 }, 'post_like_account_id_fkey'],
  ])('%s', async (_, changes, refusedBy) => {
    await insert('post');
    await insert('post', { id: 2 });
    await insert('post_like');
    expect(await refusal(async () => await insert('post_like', changes))).toBe(refusedBy);
  });

  test('likes, reposts and comments go with their post', async () => {
    for (const table of ['post', 'comment', 'post_like', 'repost'] as const) await insert(table);
    await client.query('DELETE FROM post');
    for (const table of ['comment', 'post_like', 'repost']) {
      expect((await client.query(`SELECT 1 FROM ${table}`)).rowCount).toBe(0);
    }
  });
});

describe('repost', () => {
  test.each<[rule: string, changes: Row, refusedBy: string]>([
    ['the same twice', {}, 'repost_pkey'],
    ['an account that does not exist', { account_id: 999 }, 'repost_account_id_fkey'],
    ['a post that does not exist', { post_id: 999 }, 'repost_post_id_author_id_fkey'],
    ['another author than the post has', { post_id: 2, author_id: 2 }, 'repost_post_id_author_id_fkey'],
  ])('%s', async (_, changes, refusedBy) => {
    for (const table of ['post', 'repost'] as const) await insert(table);
    await insert('post', { id: 2 });
    expect(await refusal(async () => await insert('repost', changes))).toBe(refusedBy);
  });
});

describe('media', () => {
  const name = `${'1'.repeat(32)}.jpg`;

  test.each<[rule: string, changes: Row, refusedBy: string]>([
    ['another one', {}, 'accepted'],
    ['an id twice', { id: 1 }, 'media_pkey'],
    ['the id 0', { id: 0 }, 'media_id_check'],
    ['a greater id than JSON clients read exactly', { id: maxId + 1n }, 'media_id_check'],
    ['an owner that does not exist', { owner_id: 999 }, 'media_owner_id_fkey'],
    ['a post that does not exist', { post_id: 999 }, 'media_post_id_fkey'],
    ['a second image of one post', { post_id: 1 }, 'media_post_id_key'],
    ['a name twice', { name: `${'0'.repeat(32)}.png` }, 'media_name_key'],
    ['a name that can be guessed', { name: '1.png' }, 'media_name_check'],
    ['a path as name', { name: `../${'1'.repeat(29)}.png` }, 'media_name_check'],
    ['another type', { name: `${'1'.repeat(32)}.gif` }, 'media_name_check'],
    ['an empty file', { bytes: 0 }, 'media_size_check'],
    ['no width', { width: 0 }, 'media_size_check'],
    ['no height', { height: 0 }, 'media_size_check'],
  ])('%s', async (_, changes, refusedBy) => {
    await insert('post');
    await insert('media', { post_id: 1 });
    expect(await refusal(async () => await insert('media', { id: 2, name, ...changes }))).toBe(refusedBy);
  });

  test('goes with its post, and its files are noted for removal; an avatar falls back to the drawn one', async () => {
    await insert('post');
    await insert('media', { post_id: 1 });
    await client.query('UPDATE account SET avatar = $1', [rows.media.name]);
    await client.query('DELETE FROM post');
    expect((await client.query('SELECT 1 FROM media')).rowCount).toBe(0);
    expect((await client.query('SELECT avatar FROM account')).rows).toEqual([{ avatar: null }]);
    expect((await client.query('SELECT name FROM removed_media_file')).rows).toEqual([{ name: rows.media.name }]);
  });

  test('only media that exists is an avatar', async () => {
    expect(await refusal(async () => await client.query('UPDATE account SET avatar = $1', [name]))).toBe(
      'account_avatar_fkey',
    );
  });

  test('a file is noted once', async () => {
    await insert('removed_media_file');
    expect(await refusal(async () => await insert('removed_media_file'))).toBe('removed_media_file_pkey');
  });
});

describe('old username', () => {
  test.each<[rule: string, changes: Row, refusedBy: string]>([
    ['the same twice', {}, 'old_username_pkey'],
    ['another one of the same account', { username_ci: 'alice_2' }, 'accepted'],
    ['capitals', { username_ci: 'Alice' }, 'old_username_username_ci_check'],
    ['four characters', { username_ci: 'alic' }, 'old_username_username_ci_check'],
    ['an account that does not exist', { username_ci: 'alice_2', account_id: 999 }, 'old_username_account_id_fkey'],
  ])('%s', async (_, changes, refusedBy) => {
    await insert('old_username');
    expect(await refusal(async () => await insert('old_username', changes))).toBe(refusedBy);
  });
});

describe.each(['follow', 'follow_request'] as const)('%s', (table) => {
  test.each<[rule: string, changes: Row, refusedBy: string]>([
    ['the same twice', {}, `${table}_pkey`],
    ['the other way round', { follower_id: 2, followed_id: 1 }, 'accepted'],
    ['oneself', { followed_id: 1 }, `${table}_self_check`],
    ['a follower that does not exist', { follower_id: 999 }, `${table}_follower_id_fkey`],
    ['a followed account that does not exist', { followed_id: 999 }, `${table}_followed_id_fkey`],
  ])('%s', async (_, changes, refusedBy) => {
    await insert('account', other);
    await insert(table);
    expect(await refusal(async () => await insert(table, changes))).toBe(refusedBy);
  });
});

const keyed = (changes: Row): Row => ({ client_id: 'x'.repeat(16), ...changes });

describe('application', () => {
  test.each(applicationRows)('%s', async (_, changes, refusedBy) => {
    expect(await refusal(async () => await insert('application', changes))).toBe(refusedBy);
  });

  test('takes its redirect addresses, secrets and grants with it', async () => {
    for (const table of ['redirect_uri', 'application_secret', 'grant'] as const) await insert(table);
    await client.query('DELETE FROM application');
    for (const table of ['redirect_uri', 'application_secret', '"grant"']) {
      expect((await client.query(`SELECT 1 FROM ${table}`)).rowCount).toBe(0);
    }
  });

  test('a redirect address has a position of its own', async () => {
    await insert('redirect_uri');
    expect(await refusal(async () => await insert('redirect_uri'))).toBe('redirect_uri_pkey');
    expect(await refusal(async () => await insert('redirect_uri', { position: 1 }))).toBe('accepted');
    const long = { position: 2, uri: 'x'.repeat(2049) };
    expect(await refusal(async () => await insert('redirect_uri', long))).toBe(tooLong);
  });

  test.each(applicationPartRows)('a row %s in %s', async (_rule, table, changes, refusedBy) => {
    await insert('application', { client_id: otherClientId });
    await insert('application_logo');
    expect(await refusal(async () => await insert(table, changes))).toBe(refusedBy);
  });
});

describe('grant', () => {
  test('an application acts as its owner by one living grant', async () => {
    await insert('grant');
    expect(await refusal(async () => await insert('grant', { id: 'grant-2' }))).toBe('grant_act_as_owner_key');
    await client.query('UPDATE "grant" SET revoked_at = now()');
    expect(await refusal(async () => await insert('grant', { id: 'grant-2' }))).toBe('accepted');
  });

  test.each<[rule: string, changes: Row, refusedBy: string]>([
    ['of nobody', { account_id: 999 }, 'grant_account_id_fkey'],
    ['to no application', keyed({}), 'grant_client_id_fkey'],
    ['with the number of another', { number: 1 }, 'grant_number_key'],
    ['that acts as its owner, and ends', { ends_at: '2030-01-01' }, 'grant_ends_at_check'],
  ])('one %s is refused', async (_, changes, refusedBy) => {
    await insert('grant', { id: 'grant-0', kind: 'consent', number: 1, ends_at: '2030-01-01' });
    expect(await refusal(async () => await insert('grant', changes))).toBe(refusedBy);
  });
});

describe('oauth_artifact', () => {
  test.each<[rule: string, changes: Row, refusedBy: string]>([
    ['a known grant', { grant_id: 'grant-1' }, 'accepted'],
    ['an unknown grant', { grant_id: 'grant-2' }, 'oauth_artifact_grant_id_fkey'],
    ['an id in clear beside its digest', { payload: { jti: 'secret' } }, 'oauth_artifact_payload_check'],
    ['a digest of another length', { id_sha256: Buffer.alloc(31) }, 'oauth_artifact_id_sha256_check'],
    ['no time of expiry', { expires_at: null }, notNull],
  ])('%s', async (_, changes, refusedBy) => {
    await insert('grant');
    expect(await refusal(async () => await insert('oauth_artifact', changes))).toBe(refusedBy);
  });

  test('ids are unique within their kind, and go with their grant', async () => {
    await insert('grant');
    await insert('oauth_artifact', { grant_id: 'grant-1' });
    expect(await refusal(async () => await insert('oauth_artifact'))).toBe('oauth_artifact_pkey');
    expect(await refusal(async () => await insert('oauth_artifact', { kind: 'RefreshToken' }))).toBe('accepted');
    await client.query('DELETE FROM "grant"');
    expect((await client.query('SELECT kind FROM oauth_artifact')).rows).toEqual([{ kind: 'RefreshToken' }]);
  });
});

describe('idempotency_record', () => {
  test.each([
    ['scope_sha256', 'idempotency_record_scope_sha256_check'],
    ['fingerprint', 'idempotency_record_fingerprint_check'],
  ])('a %s of another length', async (column, refusedBy) => {
    const work = async () => await insert('idempotency_record', { [column]: Buffer.alloc(31) });
    expect(await refusal(work)).toBe(refusedBy);
  });

  test('a second record of one scope', async () => {
    await insert('idempotency_record');
    expect(await refusal(async () => await insert('idempotency_record'))).toBe('idempotency_record_pkey');
  });
});

test('a proof of possession is marked once, by its digest', async () => {
  await insert('dpop_proof');
  expect(await refusal(async () => await insert('dpop_proof'))).toBe('dpop_proof_pkey');
  const short = { id_sha256: Buffer.alloc(31) };
  expect(await refusal(async () => await insert('dpop_proof', short))).toBe('dpop_proof_id_sha256_check');
});

test('a code that a person types is that of one device', async () => {
  const device = { kind: 'DeviceCode', payload: { userCode: 'WDJBMJHT' } };
  await insert('oauth_artifact', device);
  const again = { ...device, id_sha256: Buffer.alloc(32, 1) };
  expect(await refusal(async () => await insert('oauth_artifact', again))).toBe('oauth_artifact_user_code_key');
});

describe('session', () => {
  test.each<[rule: string, changes: Row, refusedBy: string]>([
    ['nobody signed in', {}, 'accepted'],
    ['an account with the epoch of its login', { account_id: 1, login_epoch: 0 }, 'accepted'],
    ['an account without one', { account_id: 1 }, 'session_login_epoch_check'],
    ['an epoch without an account', { login_epoch: 0 }, 'session_login_epoch_check'],
    ['an account that does not exist', { account_id: 999, login_epoch: 0 }, 'session_account_id_fkey'],
    ['the cookie in clear beside its digest', { payload: { jti: 'secret' } }, 'session_payload_check'],
  ])('%s', async (_, changes, refusedBy) => {
    expect(await refusal(async () => await insert('session', changes))).toBe(refusedBy);
  });

  test('one cookie belongs to one session', async () => {
    await insert('session');
    expect(await refusal(async () => await insert('session', { uid: 'two' }))).toBe('session_id_sha256_key');
  });
});

describe('revocation', () => {
  test.each<[rule: string, changes: Row, refusedBy: string]>([
    ['of another kind with the same id', { kind: 'client' }, 'accepted'],
    ['of all tokens', { id: 'grant-2', epoch: null }, 'accepted'],
    ['of the same twice', {}, 'revocation_pkey'],
    ['of one token, with an epoch', { kind: 'token' }, 'revocation_epoch_check'],
    ['of a key, with an epoch', { kind: 'key' }, 'revocation_epoch_check'],
    ['of a key that is there', { kind: 'key', epoch: 0 }, 'accepted'],
    ['that is kept for ever', { id: 'grant-2', expires_at: null }, notNull],
  ])('%s', async (_rule, changes, refusedBy) => {
    await insert('revocation');
    expect(await refusal(async () => await insert('revocation', changes))).toBe(refusedBy);
  });
});

test.each<[rule: string, table: 'audit_event' | 'request_log', changes: Row, refusedBy: string]>([
  ['a request of a client that is gone', 'request_log', { client_id: 'x'.repeat(16) }, 'request_log_client_id_fkey'],
  ['an address where none is wrong', 'request_log', { presented: 'https://a.example/' }, 'request_log_presented_check'],
  ['an event of an account that is gone', 'audit_event', { account_id: 99 }, 'accepted'],
  ['a line break in its name', 'audit_event', { event: 'account.renamed\n' }, 'audit_event_event_check'],
  ['details that have no names', 'audit_event', { detail: '[]' }, 'audit_event_detail_check'],
])('%s', async (_rule, table, changes, refusedBy) => {
  expect(await refusal(async () => await insert(table, changes))).toBe(refusedBy);
});

describe('signing_key', () => {
  test('there is one current key, and since when is known', async () => {
    await insert('signing_key');
    expect(await refusal(async () => await insert('signing_key', { kid: 'two' }))).toBe('signing_key_current_key');
    expect(await refusal(async () => await insert('signing_key', { state_since: null }))).toBe(notNull);
  });

  test.each(['next', 'retired', 'revoked'])('there may be many %s keys', async (state) => {
    await insert('signing_key', { state });
    expect(await refusal(async () => await insert('signing_key', { kid: 'two', state }))).toBe('accepted');
  });

  test('the public part holds no private member', async () => {
    const changes = { public_jwk: { kty: 'EC', d: 'secret' } };
    expect(await refusal(async () => await insert('signing_key', changes))).toBe('signing_key_public_jwk_check');
  });
});

test.each(badMailRows)('%s %s', async (table, _, changes, refusedBy) => {
  await insert('email_change');
  expect(await refusal(async () => await insert(table, changes))).toBe(refusedBy);
});

test.each(badFactorRows)('%s %j', async (table, changes, refusedBy) => {
  for (const factors of factorTables) await insert(factors);
  expect(await refusal(async () => await insert(table, changes))).toBe(refusedBy);
});

test.each(badPlaygroundRows)('playground_run %j', async (changes, refusedBy) => {
  await insert('playground_run');
  expect(await refusal(async () => await insert('playground_run', changes))).toBe(refusedBy);
});

/** `packages/audit/src/seals.store.test.ts`. */
const elsewhere = /^audit_seal_/;

test('each constraint of the migrations has refused a row above', async () => {
  const { rows: constraints } = await client.query<{ name: string }>(`
    SELECT conname AS name FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype IN ('c', 'f')
    UNION SELECT indexrelid::regclass::text FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
    WHERE relnamespace = 'public'::regnamespace AND indisunique AND NOT indisprimary
      AND indexrelid <> 'post_id_author_id_key'::regclass`); // refuses nothing that the key of posts does not
  expect(constraints.length).toBeGreaterThan(20);
  const here = constraints.map(({ name }) => name).filter((name) => !elsewhere.test(name));
  expect(here.filter((name) => !refusers.has(name))).toEqual([]);
});
