import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createAccounts } from '@linnet/accounts/accounts';
import { createApplications } from '@linnet/applications/applications';
import { openDatabase } from '@linnet/db/database';
import type { Db } from '@linnet/db/database';
import { startEmbeddedPostgres } from '@linnet/db/embedded';
import { applyMigrations } from '@linnet/db/migrations';
import { migrationsDirectory } from '@linnet/db/migrations-directory';
import pg from 'pg';

import { requestToken } from '../support/api-client.ts';
import type { Client } from '../support/api-client.ts';
import { createHttpBrowser } from '../support/http-browser.ts';
import { findProcesses, isWorker } from '../support/processes.ts';
import { startService } from '../support/service.ts';
import type { Service } from '../support/service.ts';
import { loadSocialData } from './social-data.ts';

/** An application that acts as its owner, with an access token. */
export interface Caller extends Client {
  readonly accountId: number;
  readonly accessToken: string;
}

/** An application, and the browser session of a person who has authorized it. */
export interface SignedIn {
  readonly client: Client;
  readonly cookie: string;
  /** Path and query of an authorization request that returns a code at once. */
  readonly authorizePath: string;
  readonly redirectUri: string;
  readonly codeVerifier: string;
  /** With the scope `openid`. */
  readonly accessToken: string;
  /** Path of a consent page that waits for a decision. */
  readonly consentPath: string;
}

export interface World extends AsyncDisposable {
  readonly service: Service;
  readonly workerPid: number;
  readonly postgresPid: number;
  readonly callers: readonly Caller[];
  /** Those who create posts. */
  readonly authors: readonly Caller[];
  /** Every person who owns a caller. */
  readonly signedIn: readonly SignedIn[];
  /** The ids of the posts that people can read and like. */
  readonly postIds: readonly number[];
}

export interface WorldOptions {
  /** Posts in the database; a tenth as many accounts, five times as many likes. */
  readonly posts: number;
  readonly workers: number;
  /** Passed to every Node.js process of the service. */
  readonly nodeOptions?: string;
}

/** Requests are spread over so many applications, each of another person. As many others create posts: one set would reach its limits. */
const applications = 40;
/** People that each caller follows. */
const followed = 200;
const password = 'correct horse';
const redirectUri = 'https://app.example.org/callback';

/** Starts the service as it is shipped, with rate limits and the request log on, beside a network of people and posts. */
export async function createWorld({ posts, workers, nodeOptions }: WorldOptions): Promise<World> {
  const dataDir = await mkdtemp(join(tmpdir(), 'linnet-bench-'));
  const postgres = await startEmbeddedPostgres({ directory: join(dataDir, 'postgres'), log: () => undefined });
  await applyMigrations(postgres.url, migrationsDirectory);
  const owners = await fillDatabase(postgres.url, posts);
  const env = { DATA_DIR: dataDir, WORKERS: String(workers), LOG_LEVEL: 'info', RATE_LIMITS: 'on' };
  const service = await startService({
    env: { ...env, ...(nodeOptions === undefined ? {} : { NODE_OPTIONS: nodeOptions }) },
  });
  const worker = (await findProcesses(dataDir)).find(isWorker);
  if (worker === undefined) throw new Error('the service has no worker');
  const all = await Promise.all(owners.clients.map(async (client) => await toCaller(service, client)));
  const callers = all.slice(0, applications);
  return {
    service,
    workerPid: worker.pid,
    postgresPid: await postgresPidOf(postgres.url),
    callers,
    authors: all.slice(applications),
    signedIn: await Promise.all(
      callers.map(async (_, index) => await signIn(service.baseUrl, owners.webClient, usernameOf(index))),
    ),
    postIds: owners.postIds,
    [Symbol.asyncDispose]: async () => {
      await service[Symbol.asyncDispose]();
      await postgres.release();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

interface Owners {
  readonly clients: readonly (Client & { readonly accountId: number })[];
  readonly webClient: Client;
  readonly postIds: readonly number[];
}

async function fillDatabase(url: string, posts: number): Promise<Owners> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  client.setTypeParser(pg.types.builtins.INT8, Number);
  await loadSocialData(client, { posts, accounts: posts / 10, likes: posts * 5 });
  await client.query('RESET ALL');
  await using db = openDatabase({ url, poolSize: 4, prepare: true, actor: 'operator' });
  const clients = [...(await createOwners(db, 0)), ...(await createOwners(db, applications))];
  await client.query(followMany, [clients.map(({ accountId }) => accountId), followed]);
  await client.query(countFollows);
  const { rows } = await client.query<{ id: number }>(readablePosts);
  const { clientId, clientSecret = '' } = await createApplications(db).create({
    ...{ owner: usernameOf(0), name: 'Web application', type: 'confidential', actAsOwner: false },
    ...{ scopes: ['users', 'posts'], redirectUris: [redirectUri] },
  });
  await client.query('VACUUM (ANALYZE)');
  await client.end();
  return { clients, webClient: { id: clientId, secret: clientSecret }, postIds: rows.map(({ id }) => id) };
}

const followMany = `INSERT INTO follow (follower_id, followed_id)
  SELECT follower, followed.id FROM unnest($1::bigint[]) follower
    CROSS JOIN LATERAL (SELECT id FROM account WHERE id < 100000000 AND deleted_at IS NULL AND NOT protected
                          ORDER BY md5(id::text || follower::text) LIMIT $2) followed`;
const countFollows = `UPDATE account SET followers_count = (SELECT count(*) FROM follow WHERE followed_id = account.id),
  following_count = (SELECT count(*) FROM follow WHERE follower_id = account.id)`;
const readablePosts = `SELECT post.id FROM post JOIN account ON account.id = post.author_id
  WHERE NOT account.protected AND account.deleted_at IS NULL ORDER BY post.id DESC LIMIT 20000`;

function usernameOf(index: number): string {
  return `caller_${String(index).padStart(2, '0')}`;
}

/** As many as can wait for the hash of their password at the same time. */
async function createOwners(db: Db, first: number) {
  return await Promise.all(Array.from({ length: applications }, (_, index) => createOwner(db, first + index)));
}

async function createOwner(db: Db, index: number): Promise<Client & { readonly accountId: number }> {
  const username = usernameOf(index);
  const registration = { email: `${username}@example.org`, password, firstName: 'Ada', lastName: 'Lovelace', username };
  const { id: accountId } = await createAccounts(db).register(registration);
  const { clientId, clientSecret = '' } = await createApplications(db).create({
    ...{ owner: username, name: 'Benchmark', type: 'confidential', actAsOwner: true },
    ...{ scopes: ['users', 'posts'], redirectUris: [] },
  });
  return { id: clientId, secret: clientSecret, accountId };
}

async function toCaller({ baseUrl }: Service, client: Client & { readonly accountId: number }): Promise<Caller> {
  const { status, body } = await requestToken(baseUrl, client);
  if (status !== 200) throw new Error(`no access token: ${String(status)} ${JSON.stringify(body)}`);
  return { ...client, accessToken: String(body.access_token) };
}

async function signIn(baseUrl: string, client: Client, login: string): Promise<SignedIn> {
  const browser = createHttpBrowser([baseUrl]);
  const codeVerifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    client_id: client.id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid users posts',
    state: 'state',
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString();
  const authorizePath = `/oauth/authorize?${query}`;
  const form = await browser.open(`${baseUrl}${authorizePath}`);
  const consent = await browser.submit(form, 'login', { login, password });
  const { url } = await browser.submit(consent, 'decision', { decision: 'allow' });
  const accessToken = await exchangeCode(baseUrl, {
    client,
    codeVerifier,
    code: url.searchParams.get('code') ?? '',
  });
  const again = await browser.open(`${baseUrl}${authorizePath}&prompt=consent`);
  const cookie = browser.cookieHeader();
  return { client, cookie, authorizePath, redirectUri, codeVerifier, accessToken, consentPath: again.url.pathname };
}

type CodeExchange = Pick<SignedIn, 'client' | 'codeVerifier'> & { readonly code: string };

async function exchangeCode(baseUrl: string, { client, codeVerifier, code }: CodeExchange): Promise<string> {
  const response = await fetch(`${baseUrl}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}` },
    body: new URLSearchParams({
      ...{ grant_type: 'authorization_code', code, redirect_uri: redirectUri },
      code_verifier: codeVerifier,
    }),
  });
  const { access_token: accessToken } = Object(await response.json());
  if (typeof accessToken !== 'string') throw new Error(`no access token: ${String(response.status)}`);
  return accessToken;
}

async function postgresPidOf(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ file: string }>(`SELECT pg_read_file('postmaster.pid') AS file`);
  await client.end();
  return Number(rows[0]?.file.split('\n')[0]);
}
