import { resolve } from 'node:path';

import { expect, test } from 'vitest';
import { z } from 'zod';

import { ConfigurationError } from './configuration-error.ts';
import { databaseSessionVariables } from './variables.ts';
import {
  baseUrlVariable,
  dataDirVariable,
  databasePoolVariable,
  databaseUrlVariable,
  hostVariable,
  mediaFetchVariables,
  portVariable,
  productionVariable,
  rateLimitsVariable,
  readEnvironment,
  secretKeysVariable,
  securityContactVariable,
  serviceNameVariable,
  trustProxyVariable,
  workersVariable,
} from './environment.ts';
import { observationVariables } from './observation-variables.ts';

const schema = z.object({
  PORT: portVariable.default(3000),
  HOST: hostVariable,
  BASE_URL: baseUrlVariable.optional(),
  DATABASE_URL: databaseUrlVariable.optional(),
  DATABASE_POOL: databasePoolVariable.optional(),
  ...databaseSessionVariables,
  TRUST_PROXY: trustProxyVariable,
  DATA_DIR: dataDirVariable,
  SECRET_KEYS: secretKeysVariable.optional(),
  SERVICE_NAME: serviceNameVariable,
  WORKERS: workersVariable.optional(),
  ...observationVariables,
  RATE_LIMITS: rateLimitsVariable,
  NODE_ENV: productionVariable,
});

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readEnvironment(schema, env);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
  return [];
}

test('applies the documented defaults', () => {
  expect(readEnvironment(schema, {})).toEqual({
    PORT: 3000,
    HOST: '127.0.0.1',
    DATABASE_PREPARE: true,
    DATABASE_DESCRIBE: false,
    TRUST_PROXY: 0,
    DATA_DIR: resolve('.data'),
    SERVICE_NAME: 'linnet',
    LOG_LEVEL: 'info',
    LOG_SAMPLE: 1,
    MANAGEMENT_HOST: '127.0.0.1',
    OTEL_TRACES_EXPORTER: 'otlp',
    OTEL_TRACES_SAMPLER: 'parentbased_always_on',
    OTEL_TRACES_SAMPLER_ARG: 1,
    OTEL_BSP_SCHEDULE_DELAY: 5000,
    RATE_LIMITS: true,
    NODE_ENV: false,
  });
});

test('treats an empty variable as unset', () => {
  expect(readEnvironment(schema, { PORT: '', BASE_URL: '' })).toMatchObject({ PORT: 3000 });
});

test('lists all problems, one per line, each with the name of its variable', () => {
  const env = {
    PORT: 'http',
    BASE_URL: 'ftp://a',
    WORKERS: '0',
    LOG_LEVEL: 'loud',
    LOG_SAMPLE: '1.5',
    MANAGEMENT_PORT: '65536',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318',
    OTEL_TRACES_SAMPLER: 'sometimes',
    OTEL_TRACES_SAMPLER_ARG: '2',
    RATE_LIMITS: 'no',
    SECRET_KEYS: 'canary-short',
    DATABASE_URL: 'mysql://root:canary-password@db/app',
  };
  const problems = problemsOf(env);
  expect(new Set(problems.map((problem) => problem.split(':')[0]))).toEqual(new Set(Object.keys(env)));
  expect(problems).toHaveLength(Object.keys(env).length);
  expect(problems.join('\n')).not.toContain('canary');
});

test('reports a missing variable without a default as required', () => {
  expect(() => readEnvironment(z.object({ BASE_URL: baseUrlVariable }), {})).toThrow('BASE_URL: is required');
});

test('the result is frozen', () => {
  expect(Object.isFrozen(readEnvironment(schema, {}))).toBe(true);
});

test.each([
  ['0', 0],
  ['1', 1],
  ['65535', 65_535],
])('accepts PORT=%s', (text, port) => {
  expect(readEnvironment(schema, { PORT: text }).PORT).toBe(port);
});

test.each(['-1', '65536', '80.5', ' 80', '0x50', '1e3', '٣'])('rejects PORT=%s', (text) => {
  expect(problemsOf({ PORT: text })).toEqual(['PORT: must be a port number between 1 and 65535']);
});

test.each([
  ['http://localhost:3000', 'http://localhost:3000'],
  ['http://localhost:3000/', 'http://localhost:3000'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['http://[::1]:8080', 'http://[::1]:8080'],
  ['https://social.example.org', 'https://social.example.org'],
])('accepts BASE_URL=%s', (text, origin) => {
  expect(readEnvironment(schema, { BASE_URL: text }).BASE_URL).toBe(origin);
});

test.each([
  ['http://social.example.org', /https:\/\//],
  ['http://localhost.example.org', /https:\/\//],
  ['http://127.0.0.1.nip.io', /https:\/\//],
  ['https://social.example.org/sub', /origin without path/],
  ['https://social.example.org?a', /origin without path/],
  ['https://user:pw@social.example.org', /origin without path/],
  ['https://SOCIAL.example.org', /origin without path/],
  ['https://social.example.org:443', /origin without path/],
  ['social.example.org', /must be a URL/],
  ['javascript:alert(1)', /must be a URL/],
])('rejects BASE_URL=%s', (text, reason) => {
  expect(problemsOf({ BASE_URL: text })).toEqual([expect.stringMatching(reason)]);
});

test.each(['postgresql://a:b@db:5432/app', 'postgres://db/app', 'postgresql://postgres@localhost/app?host=/tmp/x'])(
  'accepts DATABASE_URL=%s as a secret',
  (text) => {
    const { DATABASE_URL: url } = readEnvironment(schema, { DATABASE_URL: text });
    expect([url?.reveal(), String(url)]).toEqual([text, '[secret]']);
  },
);

test.each(['mysql://db/app', 'db', 'postgresql://db', 'postgresql://db/'])('rejects DATABASE_URL=%s', (text) => {
  expect(problemsOf({ DATABASE_URL: text })).toHaveLength(1);
});

test.each(['Linnet', '-a', 'a-', 'a', 'a b', 'a'.repeat(33), 'a#b'])('rejects SERVICE_NAME=%s', (text) => {
  expect(problemsOf({ SERVICE_NAME: text })).toHaveLength(1);
});

test.each(['on', 'off'])('RATE_LIMITS and DATABASE_PREPARE accept %s', (text) => {
  const config = readEnvironment(schema, { RATE_LIMITS: text, DATABASE_PREPARE: text });
  expect([config.RATE_LIMITS, config.DATABASE_PREPARE]).toEqual([text === 'on', text === 'on']);
});

test.each([
  ['security@example.org', 'mailto:security@example.org'],
  ['a%b@example.org', 'mailto:a%25b@example.org'],
  ['https://example.org/report', 'https://example.org/report'],
  ['https://example.org/a\nContact: b', 'https://example.org/aContact:%20b'],
])('SECURITY_CONTACT=%j becomes the URI %s', (text, uri) => {
  expect(readEnvironment(z.object({ SECURITY_CONTACT: securityContactVariable }), { SECURITY_CONTACT: text })).toEqual({
    SECURITY_CONTACT: uri,
  });
});

test.each(['nobody', 'http://example.org', 'javascript:alert(1)', 'a@b\nContact: c'])(
  'rejects SECURITY_CONTACT=%j',
  (text) => {
    const contact = z.object({ SECURITY_CONTACT: securityContactVariable });
    expect(() => readEnvironment(contact, { SECURITY_CONTACT: text })).toThrow('SECURITY_CONTACT: must be');
  },
);

test('parses SECRET_KEYS into one secret per key', () => {
  const keys = readEnvironment(schema, { SECRET_KEYS: `${'a'.repeat(32)}, ${'b'.repeat(40)}` }).SECRET_KEYS;
  expect(keys?.map((key) => key.reveal())).toEqual(['a'.repeat(32), 'b'.repeat(40)]);
});

test.each([
  ['127.0.0.1:8080', ['127.0.0.1:8080']],
  ['localhost:80, [::1]:443 ,images.intranet:9000', ['localhost:80', '[::1]:443', 'images.intranet:9000']],
])('accepts MEDIA_FETCH_ALLOW=%s', (text, hosts) => {
  const media = z.object(mediaFetchVariables({}));
  expect(readEnvironment(media, { MEDIA_FETCH_ALLOW: text })).toMatchObject({ MEDIA_FETCH_ALLOW: hosts });
});

test.each(['localhost', 'http://localhost:80', 'a:80/b', 'a:80,', 'user@a:80', '*:80:80'])(
  'rejects MEDIA_FETCH_ALLOW=%s',
  (text) => {
    const media = z.object(mediaFetchVariables({}));
    expect(() => readEnvironment(media, { MEDIA_FETCH_ALLOW: text })).toThrow(
      'must be a comma-separated list of host:port',
    );
  },
);
