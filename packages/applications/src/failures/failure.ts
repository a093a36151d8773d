/** A failed request of an application, in a form that is safe to show to its owner. */

import { z } from 'zod';

import type { FailureCause, TokenCause } from './causes.ts';

export const failureKinds = [
  'redirect_uri',
  'credentials',
  'secret_ended',
  'code',
  'refresh_token',
  'pkce',
  'scope',
  'ignored_scope',
  'person',
  'logout',
  'request',
  'api',
] as const;

export type FailureKind = (typeof failureKinds)[number];

const names = z.array(z.string()).readonly().optional();
const time = z.string().optional();

/** Facts that explain a cause: times (ISO 8601) and names, never a value that was sent. */
export const failureDetails = z.object({
  issuedAt: time,
  expiresAt: time,
  usedAt: time,
  /** When the grant ended. */
  endedAt: time,
  /** Name or number of a secret. */
  secret: z.string().optional(),
  scopes: names,
  parameters: names,
  grantType: z.string().optional(),
  /** Of a request to the API. */
  method: z.string().optional(),
  /** The rate limit that was exceeded. */
  limit: z.string().optional(),
});

export type FailureDetails = Readonly<z.infer<typeof failureDetails>>;

export interface Failure {
  readonly kind: FailureKind;
  /** Undefined: an error of the API that `error` explains. */
  readonly cause: FailureCause | TokenCause | undefined;
  readonly details: FailureDetails;
  readonly endpoint: string;
  readonly error: string;
  readonly reason: string;
  /** For a wrong redirect URI: the one that was sent, and the registered one that is most similar. */
  readonly presented?: string | undefined;
  readonly registered?: string | undefined;
  /** Of the response; only of the API. */
  readonly status?: number;
}

export interface NewFailure extends Failure {
  readonly clientId: string;
  readonly at: Date;
  /** X-Request-Id of the response; undefined: it was no response. */
  readonly requestId: string | undefined;
  /** The application authenticated. Anyone can send other requests in its name. */
  readonly authenticated?: boolean;
}

/** Of the names of scopes and parameters that a request sent. */
const maxNames = 10;
const maxNameLength = 100;

export function toStorableNames(given: readonly string[]): readonly string[] {
  return given.slice(0, maxNames).map((name) => toStorable(name, maxNameLength));
}

/** PostgreSQL stores neither NUL nor lone surrogates, and a rejected row is lost. */
export function toStorable(text: string, maxLength: number): string {
  return text
    .slice(0, maxLength)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '\uFFFD');
}

/** Per application, process and minute, of authenticated requests and others each: strangers cannot displace what is its own. */
export const maxPerMinute = 100;

const minuteMs = 60_000;
/** More applications than fail in a minute. Beyond it, further ones are not recorded until the minute ends. */
const maxApplications = 10_000;

/** Returns whether a failure of the application may be recorded. Bounds what a flood costs, in memory and statements. */
export function createFailureLimit(
  now: () => number = Date.now,
): (clientId: string, authenticated?: boolean) => boolean {
  let minute = 0;
  const counts = new Map<string, number>();
  return (clientId, authenticated = false) => {
    const current = Math.floor(now() / minuteMs);
    if (current !== minute) {
      minute = current;
      counts.clear();
    }
    const key = `${authenticated ? 'own' : 'other'} ${clientId}`;
    const count = counts.get(key) ?? 0;
    if (count >= maxPerMinute || (count === 0 && counts.size >= maxApplications)) return false;
    counts.set(key, count + 1);
    return true;
  };
}
