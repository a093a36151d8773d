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
  /** Of repeats that are stored with it, newest first. */
  readonly earlierRequestIds?: readonly string[];
  /** Of the first repeat; `at` by default. */
  readonly firstAt?: Date;
  /** With its repeats; once by default. */
  readonly times?: number;
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
