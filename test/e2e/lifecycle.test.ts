import { once } from 'node:events';
import { readFile, readdir, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { describe, expect, test } from 'vitest';

import { findProcesses } from '../support/processes.ts';
import { eventually, launch, runLinnet, startService, statusOf } from '../support/service.ts';
import type { Launched } from '../support/service.ts';

/** operations.md has 5 s: other tests run beside this one, so that times are printed, and this is what a build would take. */
const secondStartMs = 30_000;
const stopMs = 10_000;

async function expectNothingLeft(dataDir: string): Promise<void> {
  await eventually('every process has ended', async () => (await findProcesses(dataDir)).length === 0);
  const files = await readdir(dataDir);
  expect(files.filter((name) => name.startsWith('linnet.'))).toEqual([]);
}

describe('from nothing', () => {
  test('start, ready, addresses, stop, and a faster second start on the same data', async () => {
    await using first = await startService();
    const { dataDir, port, baseUrl } = first;
    expect(first.pid).toBe(first.process.pid);
    await eventually('addresses', () => first.stdout().includes('/docs'));
    for (const address of [baseUrl, `${baseUrl}/developer`, `${baseUrl}/api/v2.0/docs`]) {
      expect(first.stdout().split(/\s+/)).toContain(address);
    }
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
    expect(second.readyAfterMs).toBeLessThan(secondStartMs);
    expect(await (await fetch(`${baseUrl}/oauth/jwks`)).text()).toBe(keysBefore);
  });

  test('--json: one document on stdout, logs on stderr; to stop twice is no failure', async () => {
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
    expect(again).toMatchObject({ exitCode: 0, stderr: '', stdout: `No service runs on ${service.dataDir}.\n` });
  });
});

test('a second start is refused with the process that has it, while that one starts and when it is ready; SIGTERM ends that one', async () => {
  await using first = await launch();
  const lock = join(first.dataDir, 'linnet.lock');
  await eventually('claimed', async () => (await readFile(lock, 'utf8').catch(() => '')) !== '');
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
  await expectEndBy('SIGTERM', first);
});

/** Exit 0 within 10 s, and nothing is left. */
async function expectEndBy(signal: NodeJS.Signals, service: Launched): Promise<void> {
  const startedAt = performance.now();
  service.process.kill(signal);
  expect(await service.exited).toEqual({ exitCode: 0, signal: null });
  expect(performance.now() - startedAt).toBeLessThan(stopMs);
  await expectNothingLeft(service.dataDir);
}

describe('the end', () => {
  test('a signal while the service is starting ends it just as cleanly', async () => {
    await using service = await launch();
    await eventually('claimed', async () => (await readdir(service.dataDir)).includes('linnet.lock'));
    service.process.kill('SIGTERM');
    expect(await service.exited).toEqual({ exitCode: 0, signal: null });
    await expectNothingLeft(service.dataDir);
  });

  test('readiness turns 503 and the request under way is answered', async () => {
    // One worker: with two, the one that is seen draining need not be the one that holds the request.
    await using service = await startService({ env: { WORKERS: '1' } });
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
    const answer = text(slow);
    await eventually('the request has arrived', async () => (await statusOf(`${service.baseUrl}/health/live`)) === 200);
    service.process.kill('SIGTERM');
    await eventually('draining', async () => (await statusOf(`${service.baseUrl}/health/ready`)) === 503, 3000);
    slow.write(body.slice(5));
    expect(await answer).toMatch(/^HTTP\/1\.1 4\d\d [^]*\r\nConnection: close\r\n/);
    expect(await service.exited).toEqual({ exitCode: 0, signal: null });
  });

  test('SIGINT does the same, and browsers’ spare connections do not hold it up', async () => {
    await using service = await startService();
    const spare = connect(service.port, '127.0.0.1').resume();
    await once(spare, 'connect');
    await expectEndBy('SIGINT', service);
  });
});
