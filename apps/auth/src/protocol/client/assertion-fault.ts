/** Says which part of a client assertion was wrong, and what is expected (RFC 7523 §3). */
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { errors } from 'oidc-provider';

/** Allowed clock difference of an application in seconds (checklist CA7). */
export const assertionToleranceSeconds = 10;

/** The `jti` of an assertion is stored until the assertion expires. */
const maxLifetimeSeconds = 3600;

/** The fault is sent to the client: it names what is expected and no value of the assertion. */
export class AssertionRefused extends errors.InvalidClientAuth {
  constructor(fault: string) {
    super(fault);
    this.error_description = `client assertion: ${fault}`;
  }
}

interface Expected {
  readonly clientId: string;
  readonly issuer: string;
  readonly algorithms: readonly string[];
  /** Seconds since 1970. */
  readonly now: number;
}

type Claims = Readonly<Record<string, unknown>>;

interface Assertion {
  readonly alg: unknown;
  readonly claims: Claims;
}

type Check = (assertion: Assertion, expected: Expected) => string | undefined;

const lifetimeText = `exp must be in the future and at most ${String(maxLifetimeSeconds / 60)} minutes ahead, in seconds since 1970`;

/** In the order in which they are reported. The provider checks the signature afterwards. */
const checks: readonly Check[] = [
  ({ alg }, { algorithms }) =>
    algorithms.some((one) => one === alg)
      ? undefined
      : `alg must be ${algorithms.join(', ').replace(/, ([^,]*)$/, ' or $1')}`,
  // An assertion with a second audience, or with an endpoint as audience, may have been captured there.
  ({ claims: { aud } }, { issuer }) => (isAlone(aud, issuer) ? undefined : `aud must be ${issuer} and nothing else`),
  ({ claims: { iss } }, { clientId }) => (iss === clientId ? undefined : 'iss must be the client_id'),
  ({ claims: { sub } }, { clientId }) => (sub === clientId ? undefined : 'sub must be the client_id'),
  ({ claims: { jti } }) =>
    typeof jti === 'string' && jti !== '' ? undefined : 'jti must be a string that is different in each assertion',
  ({ claims: { exp } }, { now }) =>
    typeof exp === 'number' &&
    exp > now - assertionToleranceSeconds &&
    exp <= now + assertionToleranceSeconds + maxLifetimeSeconds
      ? undefined
      : lifetimeText,
  ({ claims: { iat } }, { now }) => (isPast(iat, now) ? undefined : 'iat must not be in the future'),
  ({ claims: { nbf } }, { now }) => (isPast(nbf, now) ? undefined : 'nbf must not be in the future'),
];

/** The first fault of an assertion apart from its signature and replays; undefined if there is none. */
export function findAssertionFault(assertion: string, expected: Expected): string | undefined {
  const decoded = decode(assertion);
  if (decoded === undefined) return 'it is not a JWT';
  for (const check of checks) {
    const fault = check(decoded, expected);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function decode(assertion: string): Assertion | undefined {
  try {
    return { alg: decodeProtectedHeader(assertion).alg, claims: decodeJwt(assertion) };
  } catch {
    return undefined;
  }
}

/** JWT libraries write a single audience as a string or as a list (RFC 7519 §4.1.3). */
function isAlone(audience: unknown, issuer: string): boolean {
  return audience === issuer || (Array.isArray(audience) && audience.length === 1 && audience[0] === issuer);
}

function isPast(time: unknown, now: number): boolean {
  return time === undefined || (typeof time === 'number' && time <= now + assertionToleranceSeconds);
}
