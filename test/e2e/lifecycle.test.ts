import { once } from 'node:events';
import { readFile, readdir, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { describe, expect, test } from 'vitest';

import { findProcesses } from '../support/processes.ts';
import { eventually, launch, runLinnet, startService, statusOf } from '../support/service.ts';
import type { Launched } from '../support/service.ts';

/** Start times are printed, not checked: other tests run at the same time. */

async function expectNothingLeft(dataDir: string): Promise<void> {
  await eventually('every process has exited', async () => (await findProcesses(dataDir)).length === 0);
  const files = await readdir(dataDir);
  expect(files.filter((name) => name.startsWith('linnet.'))).toEqual([]);
}

describe('on an empty DATA_DIR', () => {
  test('starts, prints its addresses, stops, and starts again on the same data', async () => {
    await using first = await startService({ env: { WORKERS: '2' }, emptyDataDir: true });
    const { dataDir, port, baseUrl } = first;
    expect(first.pid).toBe(first.process.pid);
    await eventually('the addresses are printed', () => first.stdout().includes('/docs'));
    const lines = first.stdout().trim().split('\n');
    const ready: unknown = lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'ready');
    const addresses = {
      service: baseUrl,
      developer: `${baseUrl}/developer`,
      api_reference: `${baseUrl}/api/v2.0/docs`,
    };
    expect(ready).toMatchObject({ service: 'linnet', addresses });
    expect(first.stderr()).toBe('');
    expect(await statusOf(`${baseUrl}/.well-known/openid-configuration`)).toBe(200);
    expect(await statusOf(`${baseUrl}/api/v2.0/users/show`)).toBeGreaterThanOrEqual(400);
    expect((await stat(join(dataDir, 'secret-keys'))).mode & 0o777).toBe(0o600);
    const keysBefore = await (await fetch(`${baseUrl}/oauth/jwks`)).text();

    const stopped = await runLinnet(['stop', '--json'], first.env);
    expect(stopped).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(stopped.stdout)).toEqual({ stopped: true, pid: first.pid });
    expect(await first.exited).toEqual({ exitCode: 0, signal: null });
    await expectNothingLeft(dataDir);

    await using second = await startService({ env: { DATA_DIR: dataDir, PORT: String(port) } });
    process.stdout.write(
      `ready after ${first.readyAfterMs.toFixed(0)} ms, then ${second.readyAfterMs.toFixed(0)} ms\n`,
    );
    expect(await (await fetch(`${baseUrl}/oauth/jwks`)).text()).toBe(keysBefore);
  });

  test('--json prints one document to stdout and logs to stderr; stopping twice succeeds', async () => {
    await using service = await startService({
      command: [process.execPath, 'packages/cli/bin/linnet.mjs', 'start', '--json'],
    });
    await statusOf(`${service.baseUrl}/oauth/jwks`);
    await runLinnet(['stop'], service.env);
    await service.exited;
    expect(JSON.parse(service.stdout())).toEqual({
      service: service.baseUrl,
      developer: `${service.baseUrl}/developer`,
      api_reference: `${service.baseUrl}/api/v2.0/docs`,
      pid: service.pid,
    });
    const lines = service.stderr().trim().split('\n');
    expect(lines.map((line) => Reflect.get(Object(JSON.parse(line)), 'path'))).toContain('/oauth/jwks');
    const again = await runLinnet(['stop'], service.env);
    expect(again).toMatchObject({ exitCode: 0, stderr: '', stdout: `No service is running on ${service.dataDir}.\n` });
  });
});

test('a second start fails and names the running process, which may still be starting; SIGTERM stops that one', async () => {
  await using first = await launch();
  const lock = join(first.dataDir, 'linnet.lock');
  await eventually('the lock is taken', async () => (await readFile(lock, 'utf8').catch(() => '')) !== '');
  const early = await runLinnet(['start'], first.env);
  expect(early).toMatchObject({ exitCode: 1, stdout: '' });
  expect(early.stderr).toContain(`(process ${String(first.process.pid)})`);
  await eventually('ready', async () => (await statusOf(`${first.baseUrl}/health/ready`)) === 200);
  const late = await runLinnet(['start', '--json'], first.env);
  expect(late.exitCode).toBe(1);
  expect(JSON.parse(late.stdout)).toEqual({
    error: { code: 'already-running', message: expect.stringContaining(`process ${String(first.process.pid)}`) },
  });
  expect(await statusOf(`${first.baseUrl}/health/ready`)).toBe(200);
  await expectStopBy('SIGTERM', first);
});

async function expectStopBy(signal: NodeJS.Signals, service: Launched): Promise<void> {
  service.process.kill(signal);
  expect(await service.exited).toEqual({ exitCode: 0, signal: null });
  await expectNothingLeft(service.dataDir);
}

describe('stopping', () => {
  test('a signal during the start stops the service cleanly', async () => {
    await using service = await launch();
    await eventually('the lock is taken', async () => (await readdir(service.dataDir)).includes('linnet.lock'));
    service.process.kill('SIGTERM');
    expect(await service.exited).toEqual({ exitCode: 0, signal: null });
    await expectNothingLeft(service.dataDir);
  });

  test('readiness becomes 503, and the current request gets its response', async () => {
    // It has one worker: with two, the draining one need not be the one with the request.
    await using service = await startService();
    const body = 'grant_type=client_credentials';
    const slow = connect(service.port, '127.0.0.1');
    await once(slow, 'connect');
    const head = [
      'POST /oauth/token HTTP/1.1',
      `Host: localhost:${String(service.port)}`,
      'Content-Type: application/x-www-form-urlencoded',
      `Content-Length: ${String(body.length)}`,
    ];
    slow.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 5)}`);
    const response = text(slow);
    await eventually('the request has arrived', async () => (await statusOf(`${service.baseUrl}/health/live`)) === 200);
    service.process.kill('SIGTERM');
    await eventually('draining', async () => (await statusOf(`${service.baseUrl}/health/ready`)) === 503);
    slow.write(body.slice(5));
    expect(await response).toMatch(/^HTTP\/1\.1 4\d\d [^]*\r\nConnection: close\r\n/);
    expect(await service.exited).toEqual({ exitCode: 0, signal: null });
  });

  test('SIGINT stops it too, and idle connections of browsers do not delay that', async () => {
    await using service = await startService();
    const idle = connect(service.port, '127.0.0.1').resume();
    await once(idle, 'connect');
    await expectStopBy('SIGINT', service);
  });
});
