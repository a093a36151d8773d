import { saveBlocks } from '@linnet/accounts/registrations/block-store';
import { createTestPerson, listTestPeople } from '@linnet/accounts/test-people-store';
import { idsPerMillisecond } from '@linnet/db/text/id-time';
import { statement } from '@linnet/db/statement/statement';
import { maxEdits } from '@linnet/social/post/post-edit-store';

import { startApi } from '../running-api.ts';
import type { RunningApi } from '../running-api.ts';
import type { RecordedWorld } from './record-calls.ts';
import { clientId, json } from './recorder.ts';
import type { Recorder } from './recorder.ts';

type Send = (target: string, sent?: Readonly<Record<string, unknown>>, as?: number) => ReturnType<RunningApi['call']>;

/** Records a problem of every code that an operation documents. */
export async function recordProblems(recorder: Recorder, api: RunningApi, world: RecordedWorld): Promise<void> {
  const send: Send = async (target, sent, as = world.ada) =>
    await api.call(target, {
      claims: { client_id: clientId, acct: as },
      ...(sent === undefined ? {} : { headers: json, body: JSON.stringify(sent) }),
    });
  await recordRequestProblems(recorder, api, world);
  await recordRuleProblems(recorder, send, world);
  await recordEdits(recorder, { api, send }, world);
  await recordDraftProblems(recorder, { api, send }, world);
  await recordUploadProblems(recorder, api, world);
  await recordServiceProblems(recorder, api, world);
  await recordApart(recorder, api, world);
}

/** A test person of Ada follows Grace. */
async function recordApart({ recordProblem }: Recorder, api: RunningApi, { ada, grace }: RecordedWorld) {
  await createTestPerson(api.db, ada);
  const [tester] = await listTestPeople(api.db, ada);
  const claims = { client_id: clientId, acct: tester?.id, sb: ada };
  const body = JSON.stringify({ id: grace });
  await recordProblem('test-people-apart', api.call('POST /follows/add', { claims, headers: json, body }));
}

/** What is wrong with the request itself. */
async function recordRequestProblems({ recordProblem }: Recorder, api: RunningApi, world: RecordedWorld) {
  const call: RunningApi['call'] = (target, options) => api.call(target, options);
  const claims = { client_id: clientId, acct: world.ada };
  const write = { claims, headers: json, body: '{"message":"Hello"}' };
  await recordProblem('invalid-parameter', call('GET /post/show?id=first', { claims }));
  await recordProblem('malformed-body', call('POST /post/create', { ...write, body: '{"message":' }));
  await recordProblem('token-required', call('GET /post/show?id=1', { claims: null }));
  const expired = { ...claims, exp: 1_000_000_000 };
  await recordProblem('invalid_token', call('GET /post/show?id=1', { claims: expired }));
  const narrow = { ...claims, scope: 'users' };
  await recordProblem('insufficient_scope', call('POST /post/create', { ...write, claims: narrow }));
  await recordProblem(
    'user-context-required',
    call('POST /post/create', { ...write, claims: { client_id: clientId } }),
  );
  const block = { kind: 'mail_domain', value: 'bad.example', act: 'refuse', note: '', expiresAt: null } as const;
  await saveBlocks(api.db, [block]);
  const eve = JSON.stringify({ first_name: 'Eve', last_name: 'Doe', email: 'eve@bad.example', password: 'nanosecond' });
  await recordProblem('registration-refused', call('POST /auth/register', { ...write, body: eve }));
  const prefetch = { 'sec-purpose': 'prefetch' };
  await recordProblem('prefetch-refused', call('GET /post/create?message=Hello', { claims, headers: prefetch }));
  await recordProblem('accept-required', call('GET /post/show?id=1', { claims, headers: { accept: 'text/html' } }));
  const large = JSON.stringify({ message: 'x'.repeat(70_000) });
  await recordProblem('body-too-large', call('POST /post/create', { ...write, body: large }));
  const text = { ...write, headers: { 'content-type': 'text/plain' } };
  await recordProblem('unsupported-media-type', call('POST /post/create', text));
}

/** One edit more than a post can have. */
async function recordEdits(
  { recordProblem }: Recorder,
  { api, send }: { readonly api: RunningApi; readonly send: Send },
  { ada, post }: RecordedWorld,
): Promise<void> {
  const edits = Array.from({ length: maxEdits }, (_, n) => ({
    postId: post,
    // An hour later: another record of this world may have an id right after that of the post.
    id: post + (3_600_000 + n) * idsPerMillisecond,
    authorId: ada,
    text: 'Hello',
  }));
  const data = edits.map((edit) => ({ ...edit, hashtags: [], urls: [] }));
  await api.db.prisma.postVersion.createMany({ data });
  await recordProblem('too-many-edits', send('POST /post/edit', { id: post, message: 'Once more' }));
  await api.db.prisma.postVersion.deleteMany({ where: { postId: post } });
}

async function recordDraftProblems(
  { recordProblem }: Recorder,
  { api, send }: { readonly api: RunningApi; readonly send: Send },
  { ada }: RecordedWorld,
): Promise<void> {
  const draft = { accountId: ada, status: 'draft', call: '/post/create', parameters: { message: 'Hello' } } as const;
  const drafts = await api.db.prisma.draft.createManyAndReturn({ data: Array.from({ length: 100 }, () => draft) });
  const { id } = drafts[0] ?? { id: 0 };
  const changed = { id: Number(id), version: 2, message: 'Hello' };
  await recordProblem('draft-changed', send('POST /drafts/update', changed));
  await recordProblem('too-many-drafts', send('POST /drafts/create', { message: 'Hello' }));
  await api.db.prisma.draft.deleteMany({ where: { accountId: ada } });
}

/** What the rules of the API refuse. */
async function recordRuleProblems({ recordProblem }: Recorder, send: Send, world: RecordedWorld): Promise<void> {
  const { ada, grace, mary, post, restricted, media } = world;
  const alan = { first_name: 'Alan', last_name: 'Turing', password: 'correct horse' };
  await recordProblem('wrong-password', send('POST /account/delete', { password: 'wrong horse' }));
  await recordProblem('media-not-usable', send('POST /post/create', { message: 'Mine', media }, grace));
  await recordProblem('media-attached', send('POST /post/create', { message: 'Again', media }, ada));
  await recordProblem('protected-account', send(`GET /post?user_id=${String(mary)}`));
  await recordProblem('not-owner', send('POST /post/delete', { id: post }, grace));
  const quote = { message: 'Look', quote_id: post };
  await send('POST /account/update', { quoters: 'nobody' }, ada);
  await recordProblem('quotes-restricted', send('POST /post/create', quote, grace));
  await send('POST /account/update', { quoters: 'everyone' }, ada);
  const comment = { item_id: restricted, type: 'post', text: 'May I?' };
  await recordProblem('comments-restricted', send('POST /comment/create', comment, grace));
  await recordProblem('not-found', send('GET /post/show?id=1'));
  await recordProblem('email-taken', send('POST /auth/register', { ...alan, email: 'grace@example.org' }));
  const taken = { ...alan, email: 'new@example.org', username: 'grace_hopper' };
  await recordProblem('username-taken', send('POST /auth/register', taken));
}

async function recordUploadProblems({ recordProblem }: Recorder, api: RunningApi, { ada }: RecordedWorld) {
  const keyed = (message: string) =>
    api.call('POST /post/create', {
      claims: { client_id: clientId, acct: ada },
      headers: { ...json, 'idempotency-key': 'one-key' },
      body: JSON.stringify({ message }),
    });
  await keyed('Once');
  await recordProblem('idempotency-key-reused', keyed('Something else'));
  await api.db.transaction(async (tx) => {
    await tx.query(lockRecord, []);
    await recordProblem('idempotency-in-progress', keyed('Once'));
  });
  const form = new FormData();
  form.append('media', new Blob(['not an image']), 'notes.txt');
  const upload = api.call('POST /media/upload', { claims: { client_id: clientId, acct: ada }, body: form });
  await recordProblem('image-refused', upload);
}

const lockRecord = statement<readonly [], unknown>(
  'test_lock_recorded',
  `UPDATE idempotency_record SET answer = answer`,
);

/** What the state of the service causes. */
async function recordServiceProblems({ recordProblem }: Recorder, api: RunningApi, { ada }: RecordedWorld) {
  const claims = { client_id: clientId, acct: ada };
  await using away = await startApi('postgresql://nobody@127.0.0.1:9/none');
  await recordProblem('unavailable', away.call('GET /users/is?id=1'));
  const leave = Promise.withResolvers<void>();
  const holders = Array.from({ length: 10 }, async () => await api.db.transaction(async () => await leave.promise));
  await recordProblem('overloaded', api.call('GET /users/is?id=1', { claims }));
  leave.resolve();
  await Promise.all(holders);
}

/** Requests until the limit is reached. `limited` has rate limits, and registration is closed. */
export async function recordLimit({ recordProblem }: Recorder, limited: RunningApi): Promise<void> {
  const alan = { first_name: 'Alan', last_name: 'Turing', email: 'new@example.org', password: 'correct horse' };
  const request = { claims: { client_id: clientId }, headers: json, body: JSON.stringify(alan) };
  await recordProblem('registration-closed', limited.call('POST /auth/register', request));
  const read = async () => await limited.call('GET /users/is?id=1', { claims: { client_id: clientId } });
  let response = await read();
  for (let sent = 1; response.status === 200 && sent < 100; sent += 1) response = await read();
  await recordProblem('rate-limited', Promise.resolve(response));
}
