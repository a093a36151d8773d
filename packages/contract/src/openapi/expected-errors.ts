import { errorCatalogue } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';
import type { Method, Route } from '../route.ts';

type Occasion = (route: Route, method: Method) => boolean;

const always: Occasion = () => true;
const takesBody: Occasion = (_route, method) => method === 'POST';
const writes: Occasion = (route) => route.writes;

/** What a call may answer before its handler runs, and on which calls. All other codes stand in the rows. */
const occasions: Readonly<Partial<Record<ErrorCode, Occasion>>> = {
  'invalid-parameter': always,
  'malformed-body': takesBody,
  'token-required': always,
  invalid_token: always,
  insufficient_scope: (route) => route.scope !== null,
  'user-context-required': (route) => route.requiresAccount,
  'prefetch-refused': writes,
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

const codes = Object.keys(errorCatalogue) as readonly ErrorCode[]; // Object.keys forgets the names

/** Every code that a call may answer, by status, in the order of the catalogue. */
export function expectedErrors(route: Route, method: Method): ReadonlyMap<number, readonly ErrorCode[]> {
  const expected = codes.filter((code) => route.errors.includes(code) || (occasions[code]?.(route, method) ?? false));
  return Map.groupBy(expected, (code) => errorCatalogue[code].status);
}
