import { createHash, randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { createAccounts } from '@linnet/accounts/accounts';
import { deletionJob } from '../support/api/list-queries.ts';
import { createApplications } from '@linnet/applications/applications';
import { openDatabase } from '@linnet/db/database';
import type { Db } from '@linnet/db/database';
import { startEmbeddedPostgres } from '@linnet/db/embedded/embedded-postgres';
import { applyMigrations, migrationsDirectory } from '@linnet/db/migration/migrations';
import pg from 'pg';

import { requestToken } from '../support/api-client.ts';
import type { Client } from '../support/api-client.ts';
import { createHttpBrowser } from '../support/http-browser.ts';
import { findProcesses, isWorker } from '../support/processes.ts';
import { createDataDir, startService } from '../support/service.ts';
import type { Service } from '../support/service.ts';
import { usageOfProcess } from './process-usage.ts';
import type { Usage } from './process-usage.ts';
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
  /** Where the browser and the application are. One address for all would reach its limit. */
  readonly address: string;
  /** Path and query of an authorization request that returns a code at once. */
  readonly authorizePath: string;
  readonly redirectUri: string;
  readonly codeVerifier: string;
  readonly login: string;
  /** With the scope `openid`: of this application, and of another that the person has authorized. */
  readonly accessTokens: readonly string[];
  /** Path of a consent page that waits for a decision. */
  readonly consentPath: string;
}

export interface World extends AsyncDisposable {
  readonly service: Pick<Service, 'baseUrl'>;
  /** Each with its descendants. */
  readonly workerPids: readonly number[];
  /** Of the primary and its standbys. */
  readonly postgresPids: readonly number[];
  /** Absent for a service that was running before. */
  readonly starts?: Starts;
  /** Absent for a service that was running before. */
  readonly logFile?: string;
  /** Of the primary. */
  readonly databaseUrl: string;
  readonly callers: readonly Caller[];
  /** Those who create posts. */
  readonly authors: readonly Caller[];
  /** Every person who owns a caller. */
  readonly signedIn: readonly SignedIn[];
  /** The ids of the posts that people can read and like. */
  readonly postIds: readonly number[];
}

/** The processes of a service, and what each had used when the service became ready. */
interface Starts {
  readonly primaryPid: number;
  readonly primary: Usage;
  /** Of the first. */
  readonly worker: Usage;
}

export interface WorldOptions {
  /** Posts in the database; a tenth as many accounts, five times as many likes. */
  readonly posts: number;
  readonly workers: number;
  /** Passed to every Node.js process of the service. */
  readonly nodeOptions?: string;
  /** Where the service listens, and the address at which it is reached. */
  readonly behind?: { readonly port: number; readonly baseUrl: string };
}

/** Requests are spread over so many applications, each of another person. As many others create posts: one set would reach its limits. */
const applications = 40;
/** People that each caller follows. */
const followed = 200;
export const password = 'correct horse';
const redirectUri = 'https://app.example.org/callback';

/** Starts the service as it is shipped, with rate limits and the request log on, beside a network of people and posts. */
export async function createWorld({ posts, workers, nodeOptions, behind }: WorldOptions): Promise<World> {
  await using started = new AsyncDisposableStack();
  const dataDir = await createDataDir();
  started.defer(async () => await rm(dataDir, { recursive: true, force: true }));
  const postgres = await startEmbeddedPostgres({ directory: join(dataDir, 'postgres'), log: () => undefined });
  started.defer(async () => await postgres.release());
  await applyMigrations(postgres.url, migrationsDirectory);
  const owners = await fillDatabase(postgres.url, posts);
  const env = { DATA_DIR: dataDir, WORKERS: String(workers), LOG_LEVEL: 'info', RATE_LIMITS: 'on', TRUST_PROXY: '1' };
  const withOptions = {
    ...(nodeOptions === undefined ? {} : { NODE_OPTIONS: nodeOptions }),
    ...(behind === undefined ? {} : { PORT: String(behind.port), BASE_URL: behind.baseUrl }),
  };
  // Reading the log would cost this process, which sends the load, so much that latencies show it.
  const logFile = join(dataDir, 'log');
  const service = started.use(await startService({ env: { ...env, ...withOptions }, logFile }));
  const found = (await findProcesses(dataDir)).filter(isWorker);
  if (found.length !== workers) throw new Error(`the service has ${String(found.length)} workers`);
  const pids = { workerPids: found.map(({ pid }) => pid), postgresPids: [await postgresPidOf(postgres.url)] };
  const { url: databaseUrl } = postgres;
  const [primary, worker] = await Promise.all([service.pid, found[0]?.pid ?? 0].map(usageOfProcess));
  if (primary === undefined || worker === undefined) throw new Error('the service has no worker');
  const starts = { primaryPid: service.pid, primary, worker };
  const world = { ...(await meetPeople(service, owners)), ...pids, starts, logFile, databaseUrl };
  // The tables of tokens were empty before. PostgreSQL itself would analyze them after a minute.
  await analyze(databaseUrl);
  const running = started.move();
  return { ...world, [Symbol.asyncDispose]: async () => await running.disposeAsync() };
}

/** A running service, whose database is empty. */
export interface RunningService {
  readonly baseUrl: string;
  /** Of a superuser: triggers are off while the network is loaded. */
  readonly databaseUrl: string;
  readonly posts: number;
  readonly workerPids: readonly number[];
  readonly postgresPids: readonly number[];
}

/** Fills the database of a running service with a network of people and posts. Disposal leaves everything there. */
export async function connectWorld({ databaseUrl, posts, ...running }: RunningService): Promise<World> {
  const people = await meetPeople(running, await fillDatabase(databaseUrl, posts));
  return { ...people, ...running, databaseUrl, [Symbol.asyncDispose]: async () => await Promise.resolve() };
}

type People = Omit<
  World,
  'workerPids' | 'postgresPids' | 'starts' | 'logFile' | 'databaseUrl' | typeof Symbol.asyncDispose
>;

/** Gets tokens of all applications, and signs in. */
async function meetPeople(service: World['service'], owners: Owners): Promise<People> {
  const all = await Promise.all(owners.clients.map(async (client) => await toCaller(service, client)));
  return {
    service,
    callers: all.slice(0, applications),
    authors: all.slice(applications),
    signedIn: await signInAll(service.baseUrl, owners.webClients),
    postIds: owners.postIds,
  };
}

interface Owners {
  readonly clients: readonly (Client & { readonly accountId: number })[];
  /** As many as callers, since each may call the authorization server only so often. */
  readonly webClients: readonly Client[];
  readonly postIds: readonly number[];
}

async function fillDatabase(url: string, posts: number): Promise<Owners> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(async () => await client.end());
  const { rowCount } = await client.query('SELECT FROM account LIMIT 1');
  if (rowCount !== 0) throw new Error('The database has accounts. Use an empty one: what is added to it stays.');
  client.setTypeParser(pg.types.builtins.INT8, Number);
  await loadSocialData(client, { posts, accounts: posts / 10, likes: posts * 5 });
  await client.query('RESET ALL');
  await using db = openDatabase({ url, poolSize: 4, prepare: true, actor: 'operator' });
  const clients = await createOwners(db, 2 * applications);
  await client.query(followMany, [clients.map(({ accountId }) => accountId), followed]);
  await client.query(countFollows);
  // Otherwise the service would do it while calls are measured.
  await deletionJob(db, db);
  const { rows } = await client.query<{ id: number }>(readablePosts);
  const webClients: Client[] = [];
  for (const index of clients.slice(0, applications).keys()) webClients.push(await createWebClient(db, index));
  await analyze(url);
  return { clients, webClients, postIds: rows.map(({ id }) => id) };
}

async function analyze(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(async () => await client.end());
  await client.query('VACUUM (ANALYZE)');
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

async function createOwners(db: Db, count: number) {
  const passwordHash = await createAccounts(db).hashPassword(password);
  const owners: Awaited<ReturnType<typeof createOwner>>[] = [];
  // One after the other: on a busy machine, many at once wait too long for a connection.
  for (let index = 0; index < count; index += 1) owners.push(await createOwner(db, index, passwordHash));
  return owners;
}

async function createOwner(
  db: Db,
  index: number,
  passwordHash: string,
): Promise<Client & { readonly accountId: number }> {
  const username = usernameOf(index);
  const registration = { email: `${username}@example.org`, password, firstName: 'Ada', lastName: 'Lovelace', username };
  const { id: accountId } = await createAccounts(db).registerInTransaction(db, registration, passwordHash);
  const { clientId, clientSecret = '' } = await createApplications(db).create({
    ...{ owner: username, name: 'Benchmark', type: 'confidential', actAsOwner: true },
    ...{ scopes: ['users', 'posts'], redirectUris: [] },
  });
  return { id: clientId, secret: clientSecret, accountId };
}

async function createWebClient(db: Db, index: number): Promise<Client> {
  const { clientId, clientSecret = '' } = await createApplications(db).create({
    ...{ owner: usernameOf(index), name: 'Web application', type: 'confidential', actAsOwner: false },
    ...{ scopes: ['users', 'posts'], redirectUris: [redirectUri] },
  });
  return { id: clientId, secret: clientSecret };
}

async function toCaller(
  { baseUrl }: World['service'],
  client: Client & { readonly accountId: number },
): Promise<Caller> {
  const { status, body } = await requestToken(baseUrl, client);
  if (status !== 200) throw new Error(`no access token: ${String(status)} ${JSON.stringify(body)}`);
  return { ...client, accessToken: String(body.access_token) };
}

/** A few at a time: the service lets only so many passwords wait for their hash. */
const signingIn = 8;

async function signInAll(baseUrl: string, webClients: readonly Client[]): Promise<readonly SignedIn[]> {
  const signedIn: SignedIn[] = [];
  while (signedIn.length < webClients.length) {
    const first = signedIn.length;
    const group = webClients.slice(first, first + signingIn).map(async (client, place) => {
      const another = webClients[(first + place + 1) % webClients.length] ?? client;
      const signedInAt = await signIn(baseUrl, [client, another], usernameOf(first + place));
      return { ...signedInAt, address: `198.51.100.${String(first + place + 1)}` };
    });
    signedIn.push(...(await Promise.all(group)));
  }
  return signedIn;
}

/** Signs in and authorizes the applications. The first of them then shows its consent page again. */
async function signIn(baseUrl: string, clients: readonly Client[], login: string): Promise<Omit<SignedIn, 'address'>> {
  const browser = createHttpBrowser([baseUrl]);
  const authorized: Pick<SignedIn, 'client' | 'authorizePath' | 'codeVerifier'>[] = [];
  const accessTokens: string[] = [];
  for (const client of clients) {
    const codeVerifier = randomBytes(32).toString('base64url');
    const authorizePath = toAuthorizePath(client, codeVerifier);
    const page = await browser.open(`${baseUrl}${authorizePath}`);
    const consent = authorized.length > 0 ? page : await browser.submit(page, 'login', { login, password });
    const { url } = await browser.submit(consent, 'decision', { decision: 'allow' });
    accessTokens.push(await exchangeCode(baseUrl, { client, codeVerifier, code: url.searchParams.get('code') ?? '' }));
    authorized.push({ client, authorizePath, codeVerifier });
  }
  const [first] = authorized;
  if (first === undefined) throw new Error('no application to sign in to');
  const again = await browser.open(`${baseUrl}${first.authorizePath}&prompt=consent`);
  const paths = { redirectUri, consentPath: again.url.pathname };
  return { ...first, ...paths, login, cookie: browser.cookieHeader(), accessTokens };
}

function toAuthorizePath({ id }: Client, codeVerifier: string): string {
  const query = new URLSearchParams({
    client_id: id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid users posts',
    state: 'state',
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  return `/oauth/authorize?${query.toString()}`;
}

type CodeExchange = Pick<SignedIn, 'client' | 'codeVerifier'> & { readonly code: string };

/** Returns the access token. */
export async function exchangeCode(baseUrl: string, { client, codeVerifier, code }: CodeExchange): Promise<string> {
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
