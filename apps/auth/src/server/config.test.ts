import { ConfigurationError } from '@linnet/service/config/configuration-error';
import { expect, test } from 'vitest';

import { readAuthConfig } from './config.ts';

const key = 'uZk3vRb8qT1xYw5nLp0cHd7sJm2f';
const minimal = { BASE_URL: 'https://linnet.example', DATABASE_URL: 'postgresql://db.example/linnet' };

test('has the documented defaults', () => {
  const config = readAuthConfig(minimal);
  expect(config).toMatchObject({
    app: {
      baseUrl: 'https://linnet.example',
      serviceName: 'linnet',
      secretKeys: undefined,
      trustProxy: 0,
      rateLimits: true,
      directPath: true,
      apiExplorer: true,
      registration: 'open',
    },
    host: '127.0.0.1',
    port: 3001,
    database: { poolSize: undefined, prepare: true, describe: false, startupOptions: true },
    logLevel: 'info',
    logSample: 1,
    managementPort: undefined,
    managementHost: '127.0.0.1',
    tracing: undefined,
  });
  expect(config.app.dataDir).toMatch(/\/\.data$/);
});

test('uses the variables that are set', () => {
  const config = readAuthConfig({
    ...minimal,
    BASE_URL: 'http://localhost:8080/',
    PORT: '8081',
    SECRET_KEYS: `${key},${key}2`,
    DATABASE_PREPARE: 'off',
    SERVICE_NAME: 'chirp',
    TRUST_PROXY: '1',
    RATE_LIMITS: 'off',
  });
  expect(config).toMatchObject({
    app: { baseUrl: 'http://localhost:8080', serviceName: 'chirp', trustProxy: 1, rateLimits: false },
    port: 8081,
    database: { prepare: false, describe: false, startupOptions: false },
  });
  expect(config.app.secretKeys?.map((secret) => secret.reveal())).toEqual([key, `${key}2`]);
});

test('a pooler that keeps prepared statements may still reject start-up options', () => {
  const config = readAuthConfig({ ...minimal, DATABASE_STARTUP_OPTIONS: 'off' });
  expect(config.database).toMatchObject({ prepare: true, startupOptions: false });
});

/** The names of the variables that are wrong. */
function wrongVariables(env: Record<string, string>): string[] {
  try {
    readAuthConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.problems.map((problem) => problem.split(':')[0] ?? '').toSorted();
  }
  return [];
}

test('a separate process does not start without BASE_URL and DATABASE_URL', () => {
  expect(wrongVariables({})).toEqual(['BASE_URL', 'DATABASE_URL']);
});

test('KY3: production does not start without SECRET_KEYS, or with predictable ones', () => {
  expect(wrongVariables({ NODE_ENV: 'production' })).toEqual(['BASE_URL', 'DATABASE_URL', 'SECRET_KEYS']);
  expect(wrongVariables({ ...minimal, NODE_ENV: 'production', SECRET_KEYS: key })).toEqual([]);
  const guessable = 'k'.repeat(32);
  expect(wrongVariables({ ...minimal, NODE_ENV: 'production', SECRET_KEYS: guessable })).toEqual(['SECRET_KEYS']);
});

test('BASE_URL is https, or on a loopback host', () => {
  expect(wrongVariables({ ...minimal, BASE_URL: 'http://linnet.example' })).toEqual(['BASE_URL']);
  expect(wrongVariables({ ...minimal, BASE_URL: 'https://linnet.example/path' })).toEqual(['BASE_URL']);
  expect(wrongVariables({ ...minimal, BASE_URL: 'http://127.0.0.1:3001' })).toEqual([]);
});

test('reports all problems at once', () => {
  const wrong = { BASE_URL: 'x', DATABASE_URL: 'y', PORT: 'z', SECRET_KEYS: 'short', LOG_LEVEL: 'loud' };
  expect(wrongVariables(wrong)).toEqual(['BASE_URL', 'DATABASE_URL', 'LOG_LEVEL', 'PORT', 'SECRET_KEYS']);
});
