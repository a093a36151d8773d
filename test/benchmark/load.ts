import autocannon from 'autocannon';

/** A request that is sent repeatedly. */
export interface Target {
  readonly name: string;
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface LoadResult {
  readonly requests: number;
  readonly requestsPerSecond: number;
  readonly p99Ms: number;
}

const connections = 32;

/** Sends the request over 32 connections. @throws Error when a response is not 2xx. */
export async function applyLoad(target: Target, seconds: number): Promise<LoadResult> {
  const result = await autocannon({
    url: target.url,
    method: target.method,
    headers: { ...target.headers },
    ...(target.body === undefined ? {} : { body: target.body }),
    connections,
    duration: seconds,
  });
  const failed = result.non2xx + result.errors;
  if (failed > 0) throw new Error(`${target.name}: ${String(failed)} requests failed`);
  return {
    requests: result['2xx'],
    requestsPerSecond: result.requests.average,
    p99Ms: result.latency.p99,
  };
}
