import { hostname } from 'node:os';

import { expect, test } from 'vitest';

import { createLogger } from './logger.ts';
import { Secret } from '../config/secret.ts';
import { version } from '../config/version.ts';

function capture(pretty: boolean) {
  const lines: string[] = [];
  const logger = createLogger({ level: 'trace', pretty, destination: { write: (line) => lines.push(line) } });
  return { logger, output: () => lines.join('') };
}

const canary = 'canary-51d0e7';
// Has the form of a compact JWS.
const jwt = `eyJhbGciOiJFUzI1NiJ9.${Buffer.from(canary).toString('base64url')}.c2lnbmF0dXJl`;

const secretFields = {
  password: canary,
  current_password: 'not a listed name',
  client_secret: canary,
  clientSecret: canary,
  code: canary,
  access_token: canary,
  refreshToken: canary,
  headers: { Authorization: canary, cookie: [canary], 'Set-Cookie': canary },
  list: [{ deeper: { token: canary } }],
  keys: [new Secret(canary)],
};

test.each([false, true])('logs no secrets (pretty: %s)', (pretty) => {
  const { logger, output } = capture(pretty);
  logger.info(secretFields, 'fields');
  logger.error({
    err: Object.assign(new Error('failed'), { detail: `Key (email)=(${canary})`, parameters: [canary] }),
  });
  logger.error(new Error(`cannot connect to postgresql://linnet:${canary}@db/app`));
  logger.warn(`Authorization: Bearer ${canary}-${canary}`);
  logger.warn({ err: new Error('refused', { cause: new Error(`token ${jwt}`) }) }, `got ${jwt}`);
  expect(output()).toContain('fields');
  expect(output()).toContain('[secret]');
  expect(output()).not.toContain(canary);
  expect(output()).not.toContain(Buffer.from(canary).toString('base64url'));
});

const forged = 'x\r\n{"level":"info","msg":"forged"}\u001b[2J\u009b31m\u2028\u202e\u0000\u007f';

test('escapes control characters in JSON lines without changing the values', () => {
  const { logger, output } = capture(false);
  logger.info({ [forged]: forged, err: new Error(forged) }, forged);
  logger.error(new Error(forged));
  const lines = output().split('\n');
  expect(lines).toHaveLength(3);
  expect(output()).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e]/);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ msg: forged, [forged]: forged });
});

test('escapes control characters in pretty lines', () => {
  const { logger, output } = capture(true);
  logger.info({ agent: forged }, forged);
  logger.error(new Error(forged));
  expect(output()).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e]/);
  expect(output()).not.toMatch(/^\{/m);
  expect(output()).toMatch(/\n +at .*logger\.test\.ts/);
});

test('logs type, message, code, stack and causes of an error', () => {
  const { logger, output } = capture(false);
  const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
  logger.error({ err: new AggregateError([cause], 'all failed', { cause }) }, 'text');
  expect(JSON.parse(output())).toMatchObject({
    level: 'error',
    msg: 'text',
    err: {
      type: 'AggregateError',
      message: 'all failed',
      stack: expect.stringContaining('logger.test.ts'),
      cause: { message: 'refused', code: 'ECONNREFUSED' },
      errors: [{ message: 'refused' }],
    },
  });
});

test('logs values that are not errors, and objects with cycles', () => {
  const { logger, output } = capture(false);
  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  logger.error({ err: 'a string' });
  logger.error({ err: { toString: () => canary } });
  logger.info({ cycle });
  expect(output().trim().split('\n')).toHaveLength(3);
});

test('each line says which service, version and host wrote it; lines at a terminal do not', () => {
  const lines: string[] = [];
  const destination = { write: (line: string) => lines.push(line) };
  createLogger({ level: 'info', pretty: false, service: 'linnet-api', destination }).info('text');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    service: 'linnet-api',
    version,
    host: hostname(),
    pid: process.pid,
  });
  createLogger({ level: 'info', pretty: true, service: 'linnet-api', destination }).info('text');
  expect(lines[1]).toContain('text');
  expect(lines[1]).not.toMatch(/linnet-api|version/);
});
