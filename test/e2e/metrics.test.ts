import { beforeAll, describe, expect, inject, test } from 'vitest';

import { createApiCaller, createClient, requestToken } from '../support/api-client.ts';
import { findMetricNames, readDocumentedMetrics, readExpressions } from '../support/observation-files.ts';
import { readMetrics, valueOf } from '../support/metrics-text.ts';

describe('the metrics of the service of this run', () => {
  const { baseUrl, metricsUrl, env } = inject('service');
  let before: string;
  let after: string;

  beforeAll(async () => {
    before = await readMetrics(metricsUrl);
    const { body } = await requestToken(baseUrl, await createClient(env, 'metrics_reader'));
    const call = createApiCaller(baseUrl, body.access_token);
    await call('GET /users/show');
    await call('GET /users/metrics_reader_was_here');
    await fetch(`${baseUrl}/register`);
    after = await readMetrics(metricsUrl);
  });

  test.each(['grafana-dashboard.json', 'prometheus-rules.yaml'] as const)(
    'every expression of %s is PromQL and names metrics that exist',
    async (file) => {
      const expressions = await readExpressions(file);
      expect(expressions.length).toBeGreaterThan(10);
      // Prometheus adds `up` itself.
      const names = new Set(expressions.flatMap(findMetricNames).filter((name) => name !== 'up'));
      const exposed = new Set([...after.matchAll(/^# TYPE (\S+) (\S+)/gm)].flatMap(listSeries));
      expect([...names].filter((name) => !exposed.has(name))).toEqual([]);
    },
  );

  test('every metric is documented', async () => {
    const documented = await readDocumentedMetrics();
    const exposed = [...after.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name);
    expect(exposed.filter((name) => !documented.has(name))).toEqual([]);
  });

  test('requests, tokens and statements are counted, on the direct path too', () => {
    const series = [
      'linnet_http_requests_total{route="/oauth/token",method="POST",status="200"}',
      'linnet_http_requests_total{route="/api/v2.0/users/show",method="GET",status="200"}',
      'linnet_http_requests_total{route="/register",method="GET",status="200"}',
      'linnet_http_requests_total{route="other",method="GET",status="404"}',
      'linnet_http_request_duration_seconds_count{route="/oauth/token"}',
      'linnet_tokens_issued_total{grant="client_credentials"}',
      'linnet_statement_duration_seconds_count{statement="revocation_changes"}',
    ];
    const growing = series.filter((one) => valueOf(after, one) > (valueOf(before, one) || 0));
    expect(growing).toEqual(series);
    expect(valueOf(after, 'linnet_pool_connections_open{pool="requests"}')).toBeGreaterThan(0);
    expect(valueOf(after, 'linnet_queue_length{queue="mail"}')).toBeGreaterThanOrEqual(0);
  });

  test('no label contains what a client sent', () => {
    expect(after).not.toContain('metrics_reader');
  });
});

/** A histogram has series with three suffixes. */
function listSeries([, name = '', type = '']: RegExpMatchArray): string[] {
  return type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name];
}
