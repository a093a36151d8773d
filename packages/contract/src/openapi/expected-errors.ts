import { errorCatalogue } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';
import type { Method, Route } from '../route.ts';

type Condition = (route: Route, method: Method) => boolean;

const always: Condition = () => true;
const takesBody: Condition = (_route, method) => method === 'POST';
const writes: Condition = (route) => route.writes;

/** The codes that the pipeline may return before the handler runs, and for which operations. The rows declare the rest. */
const conditions: Readonly<Partial<Record<ErrorCode, Condition>>> = {
  'invalid-parameter': always,
  'malformed-body': takesBody,
  'token-required': always,
  invalid_token: always,
  insufficient_scope: (route) => route.scope !== null,
  'too-many-drafts': (route) => route.isProposable === true,
  'user-context-required': (route) => route.requiresAccount,
  'prefetch-refused': writes,
  // Decided by the database, for everything that one account does to another.
  'test-people-apart': (route) => route.writes && route.requiresAccount,
  'accept-required': always,
  'idempotency-in-progress': writes,
  'body-too-large': takesBody,
  'unsupported-media-type': takesBody,
  'idempotency-key-reused': writes,
  'rate-limited': always,
  overloaded: always,
  'internal-error': always,
  unavailable: always,
};

const codes = Object.keys(errorCatalogue) as readonly ErrorCode[]; // Object.keys returns string[]

/** Every code that an operation may return, grouped by status, in the order of the catalogue. */
export function expectedErrors(route: Route, method: Method): ReadonlyMap<number, readonly ErrorCode[]> {
  const expected = codes.filter((code) => route.errors.includes(code) || (conditions[code]?.(route, method) ?? false));
  return Map.groupBy(expected, (code) => errorCatalogue[code].status);
}
