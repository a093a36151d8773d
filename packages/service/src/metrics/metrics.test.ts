import { expect, test } from 'vitest';

import { counters } from './event-counters.ts';
import { createMetrics } from './metrics.ts';
import { addEnded, toOwnText, toText } from './management-server.ts';

function record(metrics: ReturnType<typeof createMetrics>, route: string | undefined, durationMs: number): void {
  const state = route === undefined ? {} : { route };
  metrics.recordRequest({ requestId: 'id', method: 'GET', status: 200, durationMs, ...state });
}

async function linesOf(...snapshots: Parameters<typeof toText>[0]): Promise<readonly string[]> {
  return (await toText(snapshots)).split('\n');
}

test('requests are counted by route, method and status; their durations by route, in cumulative buckets', async () => {
  const metrics = createMetrics();
  for (const ms of [0.5, 1, 2, 700]) record(metrics, '/a', ms);
  metrics.recordRequest({ requestId: 'id', method: 'POST', status: 503, durationMs: 9000, route: '/a' });
  record(metrics, undefined, 1);
  const lines = await linesOf(await metrics.read());
  expect(lines).toEqual(
    expect.arrayContaining([
      'linnet_http_requests_total{route="/a",method="GET",status="200"} 4',
      'linnet_http_requests_total{route="/a",method="POST",status="503"} 1',
      'linnet_http_requests_total{route="other",method="GET",status="200"} 1',
      'linnet_http_request_duration_seconds_bucket{route="/a",le="0.001"} 2',
      'linnet_http_request_duration_seconds_bucket{route="/a",le="0.0025"} 3',
      'linnet_http_request_duration_seconds_bucket{route="/a",le="1"} 4',
      'linnet_http_request_duration_seconds_bucket{route="/a",le="5"} 4',
      'linnet_http_request_duration_seconds_bucket{route="/a",le="+Inf"} 5',
      'linnet_http_request_duration_seconds_count{route="/a"} 5',
      'linnet_http_request_duration_seconds_sum{route="/a"} 9.7035',
    ]),
  );
});

test('counters of events exist before the first one, and no gauge has the name of a counter', async () => {
  const lines = await linesOf(await createMetrics().read());
  const { jobRuns: _jobRuns, ...others } = counters;
  for (const { name } of Object.values(others)) {
    expect(lines.some((line) => line.startsWith(name) && line.endsWith(' 0'))).toBe(true);
  }
  expect(lines.filter((line) => /^# TYPE \S+_total (?!counter)/.test(line))).toEqual([]);
});

test('processes are added up, and a process that ended keeps its counters but not its gauges', async () => {
  const [ended, running] = [createMetrics(), createMetrics()];
  for (const metrics of [ended, running]) {
    record(metrics, '/a', 1);
    metrics.count('tokensIssued', { grant: 'refresh_token' });
    metrics.watch('poolUsed', { pool: 'requests' }, () => 3);
    metrics.watch('revocationLag', {}, () => 0.2);
    metrics.watchCache('c', () => ({ entries: 5, hits: 7, misses: 1 }));
  }
  const both = await linesOf(await ended.read(), await running.read());
  expect(both).toEqual(
    expect.arrayContaining([
      'linnet_pool_connections_used{pool="requests"} 6',
      'linnet_revocation_lag_seconds 0.2',
      'linnet_cache_requests_total{cache="c",outcome="hit"} 14',
      'linnet_cache_entries{cache="c"} 10',
    ]),
  );
  const before = await addEnded(await addEnded([], await ended.read()), await ended.read());
  const after = await linesOf(before, await running.read());
  expect(after).toEqual(
    expect.arrayContaining([
      'linnet_http_requests_total{route="/a",method="GET",status="200"} 3',
      'linnet_http_request_duration_seconds_bucket{route="/a",le="0.001"} 3',
      'linnet_tokens_issued_total{grant="refresh_token"} 3',
      'linnet_pool_connections_used{pool="requests"} 3',
    ]),
  );
});

test('a value that cannot be read is left out, and the others are shown', async () => {
  const metrics = createMetrics();
  metrics.watch('queueLength', { queue: 'a' }, () => Promise.reject(new Error('no database')));
  metrics.watch('queueLength', { queue: 'b' }, () => {
    throw new Error('a bug');
  });
  metrics.watch('queueLength', { queue: 'c' }, async () => 4);
  const lines = await linesOf(await metrics.read());
  expect(lines.filter((line) => line.startsWith('linnet_queue_length'))).toEqual(['linnet_queue_length{queue="c"} 4']);
});

test('statements and jobs are measured, and failures counted', async () => {
  const metrics = createMetrics();
  metrics.startStatement('post_show')();
  metrics.startStatement('post_show')(new Error('failed'));
  metrics.startStatement('feed')();
  metrics.startStoreRequest('put')();
  metrics.recordJob('mail', 0.05, 'failure');
  expect(await linesOf(await metrics.read())).toEqual(
    expect.arrayContaining([
      'linnet_statement_duration_seconds_count{statement="post_show"} 2',
      'linnet_statement_failures_total{statement="post_show"} 1',
      'linnet_statement_failures_total{statement="feed"} 0',
      'linnet_media_store_failures_total{operation="put"} 0',
      'linnet_job_duration_seconds_bucket{name="mail",le="0.1"} 1',
      'linnet_job_runs_total{name="mail",outcome="failure"} 1',
    ]),
  );
});

test('readiness shows each check with its reason; of several processes, the worst', async () => {
  const [one, other] = [createMetrics(), createMetrics()];
  one.watchReadiness(async () => [
    { name: 'database', ok: true },
    { name: 'writes', ok: true, reason: 'unused' },
  ]);
  other.watchReadiness(async () => [
    { name: 'database', ok: false },
    { name: 'writes', ok: false, reason: 'disk-full' },
  ]);
  const lines = await linesOf(await one.read(), await other.read());
  expect(lines.filter((line) => line.startsWith('linnet_ready{')).toSorted()).toEqual([
    'linnet_ready{check="database",reason=""} 0',
    'linnet_ready{check="writes",reason=""} 1',
    'linnet_ready{check="writes",reason="disk-full"} 0',
  ]);
});

test('a check that does not end leaves what was known', async () => {
  const metrics = createMetrics();
  let answers = true;
  metrics.watchReadiness(async () => (answers ? [{ name: 'database', ok: true }] : await new Promise(() => undefined)));
  await metrics.read();
  answers = false;
  expect(await linesOf(await metrics.read())).toContain('linnet_ready{check="database",reason=""} 1');
});

test('a single process shows its start', async () => {
  expect(await toOwnText(await createMetrics().read())).toMatch(/^process_start_time_seconds \d/m);
});
