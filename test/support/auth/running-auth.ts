import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

import { openDatabase } from '@linnet/db/database';
import type { Db } from '@linnet/db/database';
import { createRevocationFeed } from '@linnet/revocations/feed';
import { serve } from '@linnet/service/http/http-server';
import { createLogger } from '@linnet/service/log/logger';
import { Secret } from '@linnet/service/config/secret';
import type { JWK } from 'jose';
import { inject } from 'vitest';

import { createAuthApp } from '@linnet/auth/app';
import { importDirectory } from '@linnet/auth/areas/account/import-job';
import { createApplications } from '@linnet/applications/applications';
import { deviceGrantType } from '@linnet/applications/settings/protocol-settings';
import type { ApplicationRequest } from '@linnet/applications/applications';
import { longestTokenBounds } from '@linnet/applications/settings/token-lifetimes';
import type { AuthConfig } from '@linnet/auth/server/config';
import type { Cache } from '@linnet/service/cache/cache';
import type { Job } from '@linnet/service/jobs/job';
import type { CreatedApplication } from '@linnet/applications/application/application-change';
import { ensureSigningKeys } from '@linnet/keys/key-changes-store';
import { insertKey } from '@linnet/keys/key-store';
import type { SealedKey } from '@linnet/keys/key-store';
import { generateSigningKey, sealSigningKey, signingAlgorithms, toPublicJwk } from '@linnet/keys/signing-key';
import { insertAccount } from '../db/insert-account.ts';

const host = '127.0.0.1';
/** Some pages wait until every process has seen a change; tests keep this short. */
const shortIntervalMs = 50;
export const publicHost = 'linnet.example';
export const baseUrl = `https://${publicHost}`;
export const secretKeys: readonly Secret[] = [new Secret('a key of the tests. 32 letters or more')];

export interface SentRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A list is sent in chunks, without Content-Length. */
  readonly body?: string | Buffer | readonly string[];
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, as they were sent. */
  readonly rawHeaders: readonly string[];
  /** Of a ZIP file a character for each byte. */
  readonly text: string;
  /** The parsed JSON; empty for other content. */
  readonly json: AnswerJson;
}

/** The members that tests read; they compare other responses as a whole. */
interface AnswerJson {
  readonly [name: string]: unknown;
  readonly access_token: string;
  readonly scope?: string;
  readonly keys: readonly JWK[];
}

/** The authorization server over real HTTP. */
export interface RunningAuth extends AsyncDisposable {
  readonly baseUrl: string;
  readonly db: Db;
  /** Statements since the list was last emptied. */
  readonly statements: string[];
  /** Lines of the log. */
  readonly log: string[];
  /** Sends due mail; it is written to `mailDirectory`, unless the settings name a mail server. */
  deliverMail(): Promise<void>;
  readonly mailDirectory: string;
  /** Where uploaded files wait for their import. */
  readonly importDirectory: string;
  /** Id of the account `owner_of_all`, which owns the applications of `register`. */
  readonly ownerId: number;
  readonly jobs: readonly Job[];
  /** Runs a job of the server now. */
  runJob(name: string): Promise<void>;
  register(application?: Partial<ApplicationRequest>): Promise<CreatedApplication>;
  send(request: SentRequest): Promise<Answer>;
  /** POST /oauth/token with a form body. */
  requestToken(
    form: Readonly<Record<string, string>> | string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>;
}

export interface AuthSettings extends Partial<
  Pick<
    AuthConfig,
    | 'securityContact'
    | 'siteLinks'
    | 'signInProviders'
    | 'dynamicRegistration'
    | 'registrationsPerHour'
    | 'apiExplorer'
    | 'webClient'
    | 'registration'
    | 'registrationProof'
    | 'mayPeopleInvite'
    | 'tokenBounds'
    | 'sitemap'
    | 'clientIdMetadataDocuments'
    | 'trustProxy'
    | 'mediaFetchAllow'
    | 'rateLimits'
    | 'directPath'
    | 'workers'
    | 'baseUrl'
    | 'secretKeys'
  >
> {
  readonly smtpUrl?: string;
  readonly cache?: Cache;
  readonly smtpRequireTls?: boolean;
  /** Another username for the owner of applications, if a second server uses the same database. */
  readonly owner?: string;
  /** Milliseconds between two polls of the revocation feed. */
  readonly feedIntervalMs?: number;
}

export async function startAuth(databaseUrl: string, settings: AuthSettings = {}): Promise<RunningAuth> {
  const statements: string[] = [];
  const log: string[] = [];
  const db = openDatabase({
    url: databaseUrl,
    poolSize: 10,
    prepare: true,
    onStatement: (sql) => statements.push(sql),
  });
  const logger = createLogger({ level: 'debug', pretty: false, destination: { write: (line) => log.push(line) } });
  if (settings.secretKeys === undefined) await shareSigningKeys(db);
  await ensureSigningKeys(db, settings.secretKeys ?? secretKeys);
  const { owner = 'owner_of_all', smtpUrl, smtpRequireTls = false, feedIntervalMs, cache, ...changed } = settings;
  const dataDir = await mkdtemp(join(tmpdir(), 'linnet-auth-'));
  const mail = toMailSettings(dataDir, { smtpUrl, smtpRequireTls });
  const config: AuthConfig = { ...plainConfig, directPath: inject('directPath'), dataDir, mail, ...changed };
  const { feed, stopFeed } = startFeed(databaseUrl, feedIntervalMs);
  const app = await createAuthApp({ config, db, feed, logger, cache });
  const server = await serve({ ...app, baseUrl: config.baseUrl, host, port: 0, logger });
  const ownerId = await insertAccount(db, owner);
  const { host: ownHost } = new URL(config.baseUrl);
  const send = (sent: SentRequest) => sendTo(server.port, { ...sent, headers: { host: ownHost, ...sent.headers } });
  return {
    baseUrl: config.baseUrl,
    db,
    statements,
    log,
    ownerId,
    ...{ mailDirectory: mail.directory, importDirectory: importDirectory(dataDir) },
    deliverMail: async () => await deliver(app.jobs),
    send,
    jobs: app.jobs,
    runJob: async (name) => await runJob(app.jobs, name),
    register: (application) => createApplications(db).create({ ...plainApplication, owner, ...application }),
    requestToken: (form, headers) =>
      send({
        method: 'POST',
        path: '/oauth/token',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
      }),
    [Symbol.asyncDispose]: async () => {
      await server.drain({ lingerMs: 0, finishMs: 0 });
      await app[Symbol.asyncDispose]();
      await rm(dataDir, { recursive: true, force: true });
      await stopFeed();
      await db[Symbol.asyncDispose]();
    },
  };
}

/** Made once in a process: generating RSA keys takes half of the time of a start. */
let signingKeys: Promise<readonly SealedKey[]> | undefined;

/** Gives a database without signing keys those of this process. */
async function shareSigningKeys(db: Db): Promise<void> {
  if ((await db.prisma.signingKey.count()) > 0) return;
  signingKeys ??= Promise.all(signingAlgorithms.flatMap((alg) => [makeKey(alg, 'current'), makeKey(alg, 'next')]));
  const keys = await signingKeys;
  await db.transaction(async (tx) => {
    for (const key of keys) await insertKey(tx, key);
  });
}

async function makeKey(alg: SealedKey['alg'], state: SealedKey['state']): Promise<SealedKey> {
  const key = await generateSigningKey(alg);
  return { kid: key.kid, alg, state, publicJwk: toPublicJwk(key), privateJwe: sealSigningKey(key, secretKeys) };
}

function startFeed(databaseUrl: string, intervalMs = shortIntervalMs) {
  const db = openDatabase({ url: databaseUrl, poolSize: 1, prepare: true });
  const feed = createRevocationFeed({ db, onError: () => undefined, intervalMs });
  const stopFeed = async () => {
    await feed[Symbol.asyncDispose]();
    await db[Symbol.asyncDispose]();
  };
  return { feed, stopFeed };
}

interface MailSettings {
  readonly smtpUrl: string | undefined;
  readonly smtpRequireTls: boolean;
}

function toMailSettings(dataDir: string, { smtpUrl, smtpRequireTls }: MailSettings): AuthConfig['mail'] {
  return {
    smtpUrl: smtpUrl === undefined ? undefined : new Secret(smtpUrl),
    smtpRequireTls,
    from: 'no-reply@linnet.example',
    directory: join(dataDir, 'mail'),
  };
}

async function runJob(jobs: readonly Job[], name: string): Promise<void> {
  const job = jobs.find((one) => one.name === name);
  if (job === undefined) throw new Error(`there is no job ${name}`);
  await job.run(new AbortController().signal);
}

async function deliver(jobs: readonly Job[]): Promise<void> {
  await jobs.find(({ name }) => name === 'mail')?.run(new AbortController().signal);
}

const plainConfig: Omit<AuthConfig, 'dataDir' | 'mail' | 'directPath'> = {
  baseUrl,
  serviceName: 'linnet',
  secretKeys,
  securityContact: undefined,
  siteLinks: {},
  signInProviders: [],
  dynamicRegistration: true,
  registrationsPerHour: 60,
  apiExplorer: true,
  webClient: false,
  registration: 'open',
  registrationProof: false,
  mayPeopleInvite: false,
  tokenBounds: longestTokenBounds,
  sitemap: true,
  clientIdMetadataDocuments: ['*'],
  media: { store: 'file', bucket: undefined, url: undefined },
  mediaFetchAllow: [],
  trustProxy: 0,
  workers: 1,
  rateLimits: true,
};

/** Settings for `register`: an application that may use the device flow. */
export const forDevices = {
  protocol: { grantTypes: ['authorization_code', 'refresh_token', deviceGrantType] },
} as const;

const plainApplication = {
  name: 'Test application',
  type: 'confidential',
  redirectUris: [],
  scopes: ['users', 'posts', 'email'],
  actAsOwner: false,
} as const;

/** Credentials as in RFC 6749 §2.3.1. */
export function basic(clientId: string, clientSecret: string | undefined): { authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret ?? ''}`).toString('base64')}` };
}

/** Uses node:http because fetch normalizes paths, Host and Accept. */
export async function sendTo(port: number, { method = 'GET', path, headers, body }: SentRequest): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const isWhole = typeof body === 'string' || Buffer.isBuffer(body);
  const length = isWhole ? { 'content-length': String(Buffer.byteLength(body)) } : {};
  const sent = { host: publicHost, ...length, ...headers };
  const outgoing = request({ host, port, method, path, headers: sent }, (response) => {
    void readAnswer(response).then(resolve, reject);
  });
  outgoing.on('error', reject);
  for (const chunk of isWhole || body === undefined ? [] : body) outgoing.write(chunk);
  outgoing.end(isWhole ? body : undefined);
  return await promise;
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const bytes = await buffer(response);
  const received = bytes.toString(response.headers['content-type'] === 'application/zip' ? 'latin1' : 'utf8');
  const isJson = response.headers['content-type']?.includes('json') === true && received !== '';
  const json: AnswerJson = JSON.parse(isJson ? received : '{}');
  const { statusCode = 0, headers, rawHeaders } = response;
  return { status: statusCode, headers, rawHeaders, text: received, json };
}
