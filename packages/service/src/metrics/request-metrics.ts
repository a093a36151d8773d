import { METHODS } from 'node:http';

import { Counter } from 'prom-client';
import type { Registry } from 'prom-client';

import type { Outcome } from '../request-log.ts';
import { DurationHistogram } from './durations.ts';

const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
/** The label of requests that no known route served. */
const otherRoute = 'other';
/** More than there are methods, so that one number stands for status and method. */
const methodsAtMost = 128;

/** Rate, errors and duration of each route. Labels are routes of the code, methods that Node knows, and statuses. */
export function createRequestMetrics(registry: Registry): { readonly record: (outcome: Outcome) => void } {
  const registers = [registry];
  const durations = new DurationHistogram({
    name: 'linnet_http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its response, by route.',
    ...{ label: 'route', bounds, registers },
  });
  const routes = new Map<string, Map<number, number>>();
  const methodIndexes = new Map(METHODS.map((method, index) => [method, index]));
  // oxlint-disable-next-line no-new -- it registers itself
  new Counter({
    name: 'linnet_http_requests_total',
    help: 'Finished requests, by route, method and status. Status 499: the client closed the connection.',
    ...{ labelNames: ['route', 'method', 'status'], registers },
    collect() {
      this.reset();
      for (const [route, outcomes] of routes) {
        for (const [key, count] of outcomes) {
          const method = METHODS[key % methodsAtMost] ?? '';
          this.inc({ route, method, status: String(Math.floor(key / methodsAtMost)) }, count);
        }
      }
    },
  });
  return {
    record: ({ route = otherRoute, method = '', status, durationMs, isStream = false }) => {
      if (!isStream) durations.add(route, durationMs / 1000);
      let outcomes = routes.get(route);
      if (outcomes === undefined) {
        outcomes = new Map();
        routes.set(route, outcomes);
      }
      const key = status * methodsAtMost + (methodIndexes.get(method) ?? 0);
      outcomes.set(key, (outcomes.get(key) ?? 0) + 1);
    },
  };
}
