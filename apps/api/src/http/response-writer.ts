import { writeJson } from '@linnet/contract/json-text';
import type { Route } from '@linnet/contract/route';
import type { Logger } from '@linnet/service/log/logger';
import type { Metrics } from '@linnet/service/metrics/metrics';

/**
 * Which responses are compared with their contract row. `every`: each one, and a mismatch fails the request; for tests.
 * `sample`: the first ones of each endpoint and then few, and a mismatch is logged with its number.
 */
export type ResponseChecks = 'every' | 'sample';

/** A sample is the first responses of each endpoint in each process, and then one of so many. */
const sample = { first: 100, oneOf: 1000 };

/** A handler returned a response that its contract row does not allow: a bug in the service. */
class ResponseMismatch extends Error {
  override readonly name = 'ResponseMismatch';
}

/** Writes a response of one endpoint as JSON. @throws ResponseMismatch if every response is checked. */
export type WriteResponse = (response: unknown) => string;

interface Reports {
  readonly logger: Logger;
  /** Counts the responses that were compared. */
  readonly metrics?: Pick<Metrics, 'count'> | undefined;
}

/** Returns a function that creates the writer of each route. */
export function createResponseWriters(
  checks: ResponseChecks,
  { logger, metrics }: Reports,
): (route: Route) => WriteResponse {
  let mismatches = 0;
  const report = (err: ResponseMismatch): void => {
    mismatches += 1;
    logger.error({ err, mismatches }, 'a response differs from its contract row');
  };
  return (route) => {
    let written = 0;
    return (response) => {
      const text = writeJson(response);
      written += 1;
      if (checks === 'sample' && written > sample.first && written % sample.oneOf !== 0) return text;
      const mismatch = findMismatch(route, text);
      metrics?.count('responseChecks', { outcome: mismatch === undefined ? 'match' : 'mismatch' });
      if (mismatch !== undefined && checks === 'every') throw mismatch;
      if (mismatch !== undefined) report(mismatch);
      return text;
    };
  };
}

/** The row itself writes the same text, so a response has all members of the row, no others, and the same order. */
function findMismatch({ id, output }: Route, text: string): ResponseMismatch | undefined {
  const checked = output.safeParse(parseJson(text));
  if (!checked.success) return new ResponseMismatch(`${id}: ${checked.error.message}`);
  if (JSON.stringify(checked.data) === text) return undefined;
  return new ResponseMismatch(`${id}: the members or their order differ`);
}

/** `undefined` for text that is not JSON, which no row allows. */
function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
