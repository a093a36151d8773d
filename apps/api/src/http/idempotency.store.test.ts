import { maintainPartitions, partitionedTables } from '@linnet/db/keep/partitions';
import { sweepExpiredRecords } from '@linnet/db/statement/run-once';
import { statement } from '@linnet/db/statement/statement';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { routesByName } from '@linnet/contract/routes';
import { caseOf } from '@linnet/test/api/endpoint-cases';
import type { EndpointWorld } from '@linnet/test/api/endpoint-cases';
import { proposePost } from '@linnet/test/api/endpoint-world';
import { startImageServer } from '@linnet/test/api/image-server';
import type { ImageServer } from '@linnet/test/api/image-server';
import { pngImage } from '@linnet/test/media/images';
import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

let database: TestDatabase;
let api: RunningApi;
let other: RunningApi;
let acct: number;
let friend: number;
let post: number;
/** Records to delete; every test of a write has its own. */
let spare: EndpointWorld['spare'];
let media: bigint;
let grant: number;
let images: ImageServer;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  images = await startImageServer({ 'image.png': await pngImage() });
  api = await startApi(database.url, { config: { mediaFetchAllow: [images.authority] } });
  other = await startApi(database.url, { signer: api.signer });
  acct = (await api.register('keyed_user')).id;
  friend = (await api.register('a_friend')).id;
  post = (await api.call('POST /post/create', { claims: { acct }, ...json({ message: 'hello' }) })).body.items.id;
  const application = { ownerId: friend, clientId: 'client-0123456789', name: 'App', type: 'public' } as const;
  await api.db.prisma.application.create({ data: application });
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
  await images[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const jsonType = { 'content-type': 'application/json' };
const formType = { 'content-type': 'application/x-www-form-urlencoded' };
const json = (body: unknown) => ({ body: JSON.stringify(body), headers: jsonType });

let key = '';
let keys = 0;
beforeEach(async () => {
  keys += 1;
  key = `key-${String(keys)}`;
  const name = `${String(keys).padStart(32, '0')}.png`;
  const clientId = 'client-0123456789';
  const consent = { id: key, accountId: acct, clientId, kind: 'consent' as const, scopes: ['users', 'posts'] };
  grant = Number((await api.db.prisma.grant.create({ data: consent })).number);
  media = (await api.db.prisma.media.create({ data: { ownerId: acct, name, bytes: 1, width: 1, height: 1 } })).id;
});

interface Sent {
  readonly target?: string;
  readonly body?: string | FormData;
  readonly headers?: Readonly<Record<string, string>>;
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly server?: RunningApi;
}

/** Sends a request with the key of this test; default: creates a post. */
async function send({ target = 'POST /post/create', server = api, ...options }: Sent = {}) {
  const { claims = { acct }, headers = {}, body } = options;
  const message = body === undefined && target.startsWith('POST') ? json({ message: `once ${key}` }) : { body };
  return await server.call(target, {
    claims,
    ...(message.body === undefined ? {} : { body: message.body }),
    headers: { ...('headers' in message ? message.headers : {}), 'idempotency-key': key, ...headers },
  });
}

const countPosts = async () => await api.db.prisma.post.count();
const countRecords = async () => await api.db.prisma.idempotencyRecord.count();

const cases = Object.entries(routesByName)
  .filter(([, route]) => route.writes)
  .flatMap(([name, route]) => route.methods.map((method) => [`${method} ${route.path}`, name] as const));

describe.each(cases)('%s', (target, name) => {
  let acting: number;

  beforeEach(async () => {
    acting = name === 'deleteAccount' ? (await api.register(`leaver_${String(keys)}`)).id : acct;
    const created = await api.call('POST /post/create', { claims: { acct }, ...json({ message: 'to be deleted' }) });
    const quoting = await api.call('POST /post/create', {
      claims: { acct },
      ...json({ message: 'look', quote_id: post }),
    });
    const on = { item_id: post, type: 'post', text: 'to be deleted' };
    const comment = await api.call('POST /comment/create', { claims: { acct }, ...json(on) });
    const filter = await api.call('POST /filters/add', { claims: { acct }, ...json({ text: 'to be deleted' }) });
    await api.db.prisma.draft.deleteMany({ where: { accountId: acct } });
    const draft = await api.call('POST /drafts/create', { claims: { acct }, ...json({ message: 'to be published' }) });
    spare = {
      draft: draft.body.id,
      proposal: await proposePost(api, acct),
      post: created.body.items.id,
      quote: quoting.body.items.id,
      comment: comment.body.id,
      media: Number(media),
      filter: filter.body.id,
    };
    const pair = { followerId: friend, followedId: acct };
    await api.db.prisma.followRequest.createMany({ data: [pair], skipDuplicates: true });
  });

  async function call() {
    const world = { account: acct, friend, post, spare, grant, imageUrl: images.address('image.png') };
    const parameters = new URLSearchParams(caseOf(name).parameters({ ...world, unique: String(keys) })).toString();
    const claims = { acct: acting };
    return target.startsWith('GET')
      ? await send({ target: `${target}?${parameters}`, claims })
      : await send({ target, claims, body: parameters, headers: formType });
  }

  test('a repeated request returns the first response byte for byte and writes nothing', async () => {
    const first = await call();
    const before = [await countPosts(), await api.db.prisma.account.count(), await api.db.prisma.comment.count()];
    const again = await call();
    expect([first.status, first.headers['idempotency-replayed']]).toEqual([200, undefined]);
    // The token of a deleted account is revoked within a second.
    if (name === 'deleteAccount' && again.status === 401) return;
    expect([again.status, again.headers['idempotency-replayed'], again.text]).toEqual([200, 'true', first.text]);
    expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
    expect(again.headers['content-type']).toBe(first.headers['content-type']);
    expect(before).toEqual([
      await countPosts(),
      await api.db.prisma.account.count(),
      await api.db.prisma.comment.count(),
    ]);
  });

  test('costs at most two round trips more than without a key', async () => {
    api.statements.length = 0;
    await call();
    const sent = api.statements.map(
      (text) => /INTO idempotency_record|store_idempotency_answer/.exec(text)?.[0] ?? text,
    );
    // BEGIN shares a round trip with the claim, COMMIT with the response.
    const begin = sent.indexOf('BEGIN');
    expect(sent.slice(begin, begin + 2)).toEqual(['BEGIN', 'INTO idempotency_record']);
    expect(sent.slice(-2)).toEqual(['store_idempotency_answer', 'COMMIT']);
    expect(sent).toHaveLength(caseOf(name).keyedStatements ?? 5);
  });
});

test('Details 8 later changes do not affect the replayed response', async () => {
  const like = { target: 'POST /likes/add', ...json({ item_id: post, type: 'post' }) };
  const before = (await api.call('POST /likes/add', { claims: { acct }, ...json({ item_id: post, type: 'post' }) }))
    .body;
  expect((await send(like)).body).toEqual(before);
  await api.call('POST /likes/add', { claims: { acct: friend }, ...json({ item_id: post, type: 'post' }) });
  expect((await send(like)).body).toEqual(before);
});

describe('a key that was used for another request', () => {
  test('other parameters: 422, nothing written', async () => {
    await send();
    const before = await countPosts();
    for (const body of [{ message: 'other' }, { message: `once ${key}`, more: 1 }]) {
      const { status, body: problem } = await send(json(body));
      expect([status, problem.code]).toEqual([422, 'idempotency-key-reused']);
    }
    expect(await countPosts()).toBe(before);
  });

  test('the other method: 422', async () => {
    await send();
    const { status } = await send({ target: `GET /post/create?message=once+${key}` });
    expect(status).toBe(422);
  });

  test('the same parameters in another order or content type are the same request', async () => {
    const part = (boundary: string, name: string, value: string) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const multipart = (boundary: string) =>
      `${part(boundary, 'item_id', String(post))}${part(boundary, 'type', 'post')}--${boundary}--\r\n`;
    const target = 'POST /likes/add';
    const responses = [
      await send({ target, ...json({ item_id: String(post), type: 'post' }) }),
      await send({ target, ...json({ type: 'post', item_id: String(post) }) }),
      await send({ target, body: `type=post&item_id=${String(post)}`, headers: formType }),
      ...(await Promise.all(
        ['one', 'two'].map(
          async (boundary) =>
            await send({
              target,
              body: multipart(boundary),
              headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
            }),
        ),
      )),
    ];
    expect(responses.map(({ headers }) => headers['idempotency-replayed'])).toEqual([
      undefined,
      ...Array.from({ length: 4 }, () => 'true'),
    ]);
  });

  test('the same key of another account, application or route is another key', async () => {
    const before = await countPosts();
    const responses = [
      await send(),
      await send({ claims: { acct: friend } }),
      await send({ claims: { acct, client_id: 'client-another0' } }),
      await send({ target: 'POST /comment/create', ...json({ item_id: post, type: 'post', text: 'x' }) }),
    ];
    expect(responses.map(({ status, headers }) => [status, headers['idempotency-replayed']])).toEqual(
      responses.map(() => [200, undefined]),
    );
    expect(await countPosts()).toBe(before + 3);
  });
});

describe('a key', () => {
  test.each(['', 'x'.repeat(256), 'clé', 'a\tb'])('"%s" is malformed: 400 that names the header', async (malformed) => {
    const before = await countPosts();
    // The client omits empty headers; HTTP trims the space.
    const { status, body } = await send({ headers: { 'idempotency-key': malformed === '' ? ' ' : malformed } });
    expect([status, body.errors]).toEqual([400, [expect.objectContaining({ parameter: 'Idempotency-Key' })]]);
    expect(await countPosts()).toBe(before);
  });

  test.each(['x', '~'.repeat(255), '"8e03978e-40d5-43dd-bc93-6894a57f9324"', 'with space'])(
    '"%s" is valid',
    async (good) => {
      const first = await send({ headers: { 'idempotency-key': good } });
      const again = await send({ headers: { 'idempotency-key': good } });
      expect([first.status, again.text]).toEqual([200, first.text]);
    },
  );

  test('has no effect on a read', async () => {
    const before = await countRecords();
    const { status } = await send({ target: `GET /post/show?id=${String(post)}`, headers: { 'idempotency-key': 'é' } });
    expect([status, await countRecords()]).toEqual([200, before]);
  });

  test('neither the key nor the parameters are stored', async () => {
    const fields = { first_name: 'Ada', last_name: 'Byron', email: 'kept@example.org', password: 'canary-password' };
    await send({
      target: 'POST /auth/register',
      ...json(fields),
      headers: { ...jsonType, 'idempotency-key': 'canary-key' },
    });
    const rows = await api.db.prisma.idempotencyRecord.findMany();
    const answers = await api.db.prisma.idempotencyAnswer.findMany();
    const text = [
      ...rows.map((row) => [row.answer, ...[row.scopeSha256, row.fingerprint].map(String)].join(' ')),
      ...answers.map(({ answer }) => answer),
    ].join('\n');
    expect(answers).toHaveLength(rows.length);
    expect(rows.length).toBeGreaterThan(0);
    expect(text).not.toMatch(/canary|kept@example/);
  });
});

describe('an error is not stored', () => {
  test('a corrected request succeeds', async () => {
    const refused = await send(json({ message: '' }));
    const missing = await send({ target: 'POST /likes/add', ...json({ item_id: 1, type: 'post' }) });
    expect([refused.status, missing.status]).toEqual([400, 404]);
    const corrected = await send();
    expect([corrected.status, corrected.headers['idempotency-replayed']]).toEqual([200, undefined]);
  });

  test('a registration succeeds when a taken username is available again', async () => {
    const fields = { first_name: 'Ada', last_name: 'Byron', email: `${key}@example.org`, password: 'secret words' };
    const register = { target: 'POST /auth/register', ...json({ ...fields, username: 'keyed_taken' }) };
    const { id } = await api.register('keyed_taken');
    expect((await send(register)).status).toBe(409);
    await api.db.prisma.account.delete({ where: { id } });
    expect((await send(register)).status).toBe(200);
  });
});

const lockRecord = statement<readonly [], unknown>(
  'test_lock_record',
  `INSERT INTO idempotency_record (scope_sha256, fingerprint, expires_at)
   SELECT scope_sha256, fingerprint, now() FROM idempotency_record ORDER BY expires_at DESC LIMIT 1
   ON CONFLICT (scope_sha256) DO UPDATE SET answer = idempotency_record.answer`,
);

describe('in parallel', () => {
  test('while the first request is in progress: 409, and nothing is written', async () => {
    await send();
    const before = await countPosts();
    await database.db.transaction(async (tx) => {
      await tx.query(lockRecord, []);
      const { status, headers, body } = await send();
      expect([status, body.code, headers['retry-after']]).toEqual([409, 'idempotency-in-progress', '1']);
    });
    expect(await countPosts()).toBe(before);
  });

  test.each(['POST /post/create', 'POST /auth/register'])(
    '50 duplicates of %s over two servers: one row, and each response is the first one or 409',
    async (target) => {
      const isPost = target === 'POST /post/create';
      const count = async () => (isPost ? await countPosts() : await api.db.prisma.account.count());
      const before = await count();
      const fields = { first_name: 'Race', last_name: 'Winner', email: `${key}@example.org`, password: 'secret words' };
      const responses = await Promise.all(
        Array.from(
          { length: 50 },
          async (_, index) =>
            await send({
              target,
              ...json(isPost ? { message: `race ${key}` } : fields),
              server: index % 2 === 0 ? api : other,
            }),
        ),
      );
      expect(await count()).toBe(before + 1);
      const successes = responses.filter(({ status }) => status === 200);
      expect(new Set(successes.map(({ text }) => text)).size).toBe(1);
      expect(successes.filter(({ headers }) => headers['idempotency-replayed'] === undefined)).toHaveLength(1);
      const refused = responses.filter(({ status }) => status !== 200);
      expect(refused.filter(({ body }) => body.code !== 'idempotency-in-progress')).toEqual([]);
    },
  );
});

const age = statement<readonly [], unknown>(
  'test_age_records',
  `UPDATE idempotency_record SET expires_at = expires_at - interval '24 hours'`,
);

describe('the partitions of the responses', () => {
  const dropPartitions = statement<readonly [], unknown>(
    'test_drop_partitions',
    `DO $$ DECLARE part text; BEGIN
       FOR part IN SELECT name FROM table_partition WHERE parent = 'idempotency_answer' LOOP EXECUTE format('DROP TABLE %I', part); END LOOP;
     END $$`,
  );
  const createPartitions = statement<readonly [], unknown>(
    'test_create_partitions',
    `SELECT create_partitions('idempotency_answer', '3 hours', now() - interval '2 days', now() + interval '2 days')`,
  );
  const passADay = statement<readonly [], unknown>(
    'test_pass_a_day',
    `WITH aged AS (UPDATE idempotency_record SET expires_at = expires_at - interval '28 hours' RETURNING 1)
     UPDATE idempotency_answer SET expires_at = expires_at - interval '28 hours' WHERE (SELECT count(*) FROM aged) > 0`,
  );
  const count = async () => await api.db.prisma.idempotencyAnswer.count();
  const rerun = async () => await maintainPartitions(api.db, partitionedTables.idempotency_answer);
  afterEach(async () => void (await database.db.query(createPartitions, [])));

  test('have the response, and the record does not', async () => {
    const before = await count();
    const first = await send();
    expect(await count()).toBe(before + 1);
    expect((await api.db.prisma.idempotencyRecord.findMany()).at(-1)?.answer).toBeNull();
    expect((await send()).text).toBe(first.text);
  });

  test('without one, the record has the response', async () => {
    await database.db.query(dropPartitions, []);
    const first = await send();
    expect(first.status).toBe(200);
    await database.db.query(createPartitions, []);
    const again = await send();
    expect([again.text, again.headers['idempotency-replayed']]).toEqual([first.text, 'true']);
  });

  test('while that of a key is dropped, 40 retries over two servers write once, and none fails', async () => {
    await database.db.query(createPartitions, []);
    const first = await send();
    await database.db.query(passADay, []);
    const before = await countPosts();
    const dropping = rerun();
    const retries = Promise.all(
      Array.from({ length: 40 }, async (_, index) => await send({ server: index % 2 === 0 ? api : other })),
    );
    const [responses] = await Promise.all([retries, dropping]);
    const successes = responses.filter(({ status }) => status === 200);
    expect(new Set(successes.map(({ text }) => text)).size).toBe(1);
    expect(successes[0]?.text).not.toBe(first.text);
    // Those that waited for too long on a busy machine.
    const refused = responses.filter(({ status }) => status !== 200);
    expect(refused.filter(({ body }) => body.code !== 'idempotency-in-progress')).toEqual([]);
    expect(await countPosts()).toBe(before + 1);
    await rerun(); // if a retry kept it
    expect(await count()).toBe(1);
    expect((await send()).text).toBe(successes[0]?.text);
  });

  test('Details 8 removed by hand before the key expires: 409, and nothing is written again', async () => {
    await send();
    await database.db.query(dropPartitions, []);
    const before = await countPosts();
    const { status, body } = await send();
    expect([status, body.code, await countPosts()]).toEqual([409, 'idempotency-in-progress', before]);
  });
});

test('records expire after 24 hours: an older key is new again, and the sweep deletes the record', async () => {
  const first = await send();
  await database.db.query(age, []);
  const again = await send();
  expect([again.status, again.headers['idempotency-replayed']]).toEqual([200, undefined]);
  expect(again.body.items.id).not.toBe(first.body.items.id);
  expect((await send()).text).toBe(again.text);
  await sweepExpiredRecords(api.db, new AbortController().signal);
  expect(await countRecords()).toBe(1);
  expect((await send()).text).toBe(again.text);
});
