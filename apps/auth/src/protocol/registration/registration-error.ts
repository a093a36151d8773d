/** Error responses of RFC 7591 §3.2.2 and RFC 7592. */
import { ApplicationRefused } from '@linnet/applications/application/application';
import { MetadataRefused } from '@linnet/applications/self-registration/client-metadata';
import { TooManyRegistrations } from '@linnet/applications/self-registration/self-registration';
import type { Unmanageable } from '@linnet/applications/self-registration/self-registration';
import type Koa from 'koa';

import { JsonRefused } from './read-json.ts';

interface Problem {
  readonly status: number;
  readonly error: string;
  readonly description: string;
}

/** Responds to what is the client's fault. @throws the error, if it is not */
export function rejectRegistration(ctx: Koa.Context, error: unknown): void {
  const problem = findProblem(error);
  if (problem === undefined) throw error;
  if (problem.status === 503) ctx.set('Retry-After', '3600');
  respondWith(ctx, problem);
}

function findProblem(error: unknown): Problem | undefined {
  const metadata = { error: 'invalid_client_metadata', status: 400 };
  if (error instanceof JsonRefused) return { ...metadata, status: error.status, description: error.message };
  if (error instanceof MetadataRefused) return { ...metadata, description: error.message };
  if (error instanceof ApplicationRefused) {
    const isRedirectUri = error.problem.field === 'redirect_uris';
    return { ...metadata, ...(isRedirectUri ? { error: 'invalid_redirect_uri' } : {}), description: error.message };
  }
  if (!(error instanceof TooManyRegistrations)) return undefined;
  const description = 'Too many clients have registered themselves. Try again later.';
  return { status: 503, error: 'temporarily_unavailable', description };
}

/** RFC 7592 §2.1: the response does not say whether the application exists. */
export function refuseManagement(ctx: Koa.Context, reason: Unmanageable): void {
  if (reason === 'suspended') {
    const description = 'An operator has suspended the application.';
    respondWith(ctx, { status: 403, error: 'access_denied', description });
    return;
  }
  ctx.set('WWW-Authenticate', 'Bearer error="invalid_token"');
  const description = 'The registration access token is not valid for this application.';
  respondWith(ctx, { status: 401, error: 'invalid_token', description });
}

export function refuseMethod(ctx: Koa.Context, allowed: readonly string[]): void {
  ctx.set('Allow', allowed.join(', '));
  respondWith(ctx, { status: 405, error: 'invalid_request', description: `${ctx.path} does not accept this method.` });
}

export function respondWith(ctx: Koa.Context, { status, error, description }: Problem): void {
  ctx.status = status;
  ctx.body = { error, error_description: toAscii(description) };
}

/** RFC 6749 §5.2: printable ASCII without quotation mark and backslash. */
function toAscii(text: string): string {
  return text
    .replaceAll('\n', ' ')
    .replaceAll('"', "'")
    .replaceAll(/[^ -~]|\\/g, '?');
}
