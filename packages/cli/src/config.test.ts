import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

import { ConfigurationError } from '@linnet/service/config/configuration-error';
import { expect, test } from 'vitest';

import { readConfig } from './config.ts';

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
  return [];
}

test('every variable has a default', () => {
  expect(readConfig({})).toEqual({
    port: 3000,
    host: '127.0.0.1',
    baseUrl: 'http://localhost:3000',
    databaseUrl: undefined,
    directUrl: undefined,
    databasePool: undefined,
    replicaUrls: [],
    databaseSessions: { prepare: true, describe: false, startupOptions: true },
    trustProxy: 0,
    dataDir: fileURLToPath(new URL('../../../.data', import.meta.url)),
    media: { store: 'file', bucket: undefined, url: undefined },
    secretKeys: undefined,
    serviceName: 'linnet',
    mediaFetchAllow: [],
    workers: availableParallelism(),
    logLevel: 'info',
    logSample: 1,
    managementPort: undefined,
    managementHost: '127.0.0.1',
    tracing: undefined,
    rateLimits: true,
    directPath: true,
    apiExplorer: true,
    webClient: true,
    linkCards: true,
    registration: 'open',
    registrationProof: false,
    mayPeopleInvite: false,
    drainSeconds: 0,
    smtpUrl: undefined,
    smtpRequireTls: false,
    mailFrom: undefined,
    securityContact: undefined,
    siteLinks: {},
    signInProviders: [],
    dynamicRegistration: true,
    registrationsPerHour: 60,
    tokenBounds: {
      accessToken: 3600,
      refreshToken: 31_536_000,
      refreshTokenTotal: 31_536_000,
      refreshTokenRepeat: 31_536_000,
    },
    sitemap: true,
    clientIdMetadataDocuments: ['*'],
    production: false,
  });
});

const randomKey = 'uZk3vRb8qT1xYw5nLp0c';

test('BASE_URL follows PORT', () => {
  expect(readConfig({ PORT: '8080' }).baseUrl).toBe('http://localhost:8080');
});

test('migrations use DATABASE_DIRECT_URL, or DATABASE_URL if it is unset', () => {
  const pooler = 'postgresql://pooler/app';
  expect(readConfig({ DATABASE_URL: pooler }).directUrl?.reveal()).toBe(pooler);
  const direct = readConfig({ DATABASE_URL: pooler, DATABASE_DIRECT_URL: 'postgresql://server/app' });
  expect(direct.directUrl?.reveal()).toBe('postgresql://server/app');
});

test('production requires a second variable before media are fetched from internal addresses', () => {
  const env = { NODE_ENV: 'production', DATABASE_URL: 'postgresql://a/b', SECRET_KEYS: randomKey };
  expect(problemsOf({ ...env, MEDIA_FETCH_ALLOW: 'a:80' })).toEqual([
    'MEDIA_FETCH_ALLOW: gives uploads access to internal addresses; in production, also set MEDIA_FETCH_ALLOW_IN_PRODUCTION=yes',
  ]);
  const confirmed = { ...env, MEDIA_FETCH_ALLOW: 'a:80', MEDIA_FETCH_ALLOW_IN_PRODUCTION: 'yes' };
  expect(readConfig(confirmed).mediaFetchAllow).toEqual(['a:80']);
});

test('clients can register themselves outside production, or where it is switched on', () => {
  const production = { NODE_ENV: 'production', DATABASE_URL: 'postgresql://a/b', SECRET_KEYS: randomKey };
  expect(readConfig({ DYNAMIC_REGISTRATION: 'off' }).dynamicRegistration).toBe(false);
  expect(readConfig(production).dynamicRegistration).toBe(false);
  expect(readConfig({ ...production, DYNAMIC_REGISTRATION: 'on' }).dynamicRegistration).toBe(true);
});

test('lifetimes of tokens can be lowered, within bounds', () => {
  const env = {
    ACCESS_TOKEN_MAX_SECONDS: '60',
    REFRESH_TOKEN_MAX_SECONDS: '300',
    REFRESH_TOKEN_TOTAL_MAX_SECONDS: '86400',
    REFRESH_TOKEN_REPEAT_MAX_SECONDS: '10',
  };
  expect(readConfig(env).tokenBounds).toEqual({
    accessToken: 60,
    refreshToken: 300,
    refreshTokenTotal: 86_400,
    refreshTokenRepeat: 10,
  });
  for (const [name, min, max] of [
    ['ACCESS_TOKEN_MAX_SECONDS', 60, 3600],
    ['REFRESH_TOKEN_MAX_SECONDS', 300, 31_536_000],
    ['REFRESH_TOKEN_TOTAL_MAX_SECONDS', 300, 31_536_000],
    ['REFRESH_TOKEN_REPEAT_MAX_SECONDS', 10, 31_536_000],
  ] as const) {
    for (const wrong of [String(min - 1), String(max + 1), '-1', '1h', '60.5', '1e3']) {
      const range = `a number of seconds between ${String(min)} and ${String(max)}`;
      expect(problemsOf({ [name]: wrong })).toEqual([`${name}: must be ${range}`]);
    }
  }
});

test('a client_id can be a URL of any host, or of those that are named', () => {
  const variable = 'CLIENT_ID_METADATA_DOCUMENTS';
  const production = { NODE_ENV: 'production', DATABASE_URL: 'postgresql://a/b', SECRET_KEYS: randomKey };
  expect(readConfig(production).clientIdMetadataDocuments).toEqual(['*']);
  for (const [value, rules] of [
    ['on', ['*']],
    ['off', []],
    ['Agent.example, *.example.org,!bad.example.org', ['agent.example', '*.example.org', '!bad.example.org']],
  ] as const) {
    expect(readConfig({ [variable]: value }).clientIdMetadataDocuments).toEqual(rules);
  }
  for (const value of ['https://agent.example', 'agent.example/x', '!', '*agent', 'a b']) {
    expect(problemsOf({ [variable]: value })).toEqual([
      expect.stringContaining(`${variable}: must be on, off, or hosts`),
    ]);
  }
});

test('production requires a database and keys, and reports them with all other problems', () => {
  expect(problemsOf({ NODE_ENV: 'production', PORT: 'x', DATA_DIR: 'd' }).toSorted()).toEqual([
    'DATABASE_URL: is required',
    'PORT: must be a port number between 1 and 65535',
    'SECRET_KEYS: is required',
  ]);
  expect(problemsOf({ NODE_ENV: 'production', DATABASE_URL: 'postgresql://a/b', SECRET_KEYS: randomKey })).toEqual([]);
});

test('production refuses predictable keys; elsewhere they work', () => {
  const env = { DATABASE_URL: 'postgresql://a/b', SECRET_KEYS: `${randomKey},${'abcdefg'.repeat(5)}` };
  expect(problemsOf(env)).toEqual([]);
  expect(problemsOf({ ...env, NODE_ENV: 'production' })).toEqual([
    'SECRET_KEYS: must be random in production; key 2 has fewer than 8 different characters. Create one with: openssl rand -base64 48',
  ]);
});

test('SMTP_REQUIRE_TLS is off by default', () => {
  expect(readConfig({}).smtpRequireTls).toBe(false);
  expect(readConfig({ SMTP_REQUIRE_TLS: 'on' }).smtpRequireTls).toBe(true);
});

test('replicas need a cache, and each of their URLs must be valid', () => {
  const cache = { CACHE_URL: 'redis://127.0.0.1' };
  const two = 'postgresql://a@one/linnet, postgresql://a@two/linnet';
  const { replicaUrls } = readConfig({ ...cache, DATABASE_REPLICA_URL: two });
  expect(replicaUrls.map((url) => url.reveal())).toEqual(two.split(', '));
  expect(() => readConfig({ DATABASE_REPLICA_URL: two })).toThrow('DATABASE_REPLICA_URL: needs CACHE_URL');
  expect(() => readConfig({ ...cache, DATABASE_REPLICA_URL: `${two},mysql://x` })).toThrow(
    'DATABASE_REPLICA_URL: must',
  );
  for (const url of ['memcached://a', 'redis://', 'redis://a/b', 'redis://a/1?x=1']) {
    expect(() => readConfig({ CACHE_URL: url })).toThrow('CACHE_URL: must be a URL');
  }
});

test('SIGN_IN_PROVIDERS is a list of providers, and errors name the member', () => {
  const provider = {
    id: 'work',
    name: 'Example',
    issuer: 'https://id.example',
    client_id: 'a',
    client_secret: 'secret',
  };
  const read = (...providers: readonly object[]) => readConfig({ SIGN_IN_PROVIDERS: JSON.stringify(providers) });
  const [read1] = read(provider).signInProviders;
  expect(read1).toMatchObject({
    id: 'work',
    scope: 'openid email profile',
    signUp: 'open',
    issuer: 'https://id.example',
  });
  expect(JSON.stringify(read1)).not.toContain('"secret"');
  for (const [change, problem] of [
    [{ id: 'Work!' }, '0.id must have'],
    [{ issuer: 'http://id.example' }, '0.issuer must be an https:// address'],
    [{ issuer: 'https://id.example/?a=b' }, '0.issuer must be an https:// address'],
    [{ scopes: ['email'] }, '0.scopes must contain openid'],
    [{ sign_up: 'all' }, '0.sign_up'],
    [{ secret: 'x' }, 'Unrecognized key'],
  ] as const) {
    expect(() => read({ ...provider, ...change })).toThrow(problem);
  }
  expect(() => read(provider, provider)).toThrow('SIGN_IN_PROVIDERS: must not have two providers with one id');
  expect(() => readConfig({ SIGN_IN_PROVIDERS: 'work' })).toThrow('SIGN_IN_PROVIDERS: must be JSON');
});
