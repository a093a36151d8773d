/**
 * Dynamic client registration (RFC 7591) and its management (RFC 7592). The provider's own endpoints would bypass the rules
 * for settings, names and redirect URIs.
 */

import { ApplicationRefused } from '@linnet/applications/application/application';
import { MetadataRefused } from '@linnet/applications/self-registration/client-metadata';
import { TooManyRegistrations } from '@linnet/applications/self-registration/self-registration';
import type { SelfRegistrations, Unmanageable } from '@linnet/applications/self-registration/self-registration';
import type Koa from 'koa';

import type { RequestLimits } from '../limits/request-limits.ts';
import { JsonRefused, readJson } from '../request/read-json.ts';
import { registrationPath } from '../request/routes.ts';

interface RegistrationOptions {
  readonly baseUrl: string;
  /** DYNAMIC_REGISTRATION: whether new clients can register. Those that did can always manage their registration. */
  readonly isOn: boolean;
  readonly registrations: SelfRegistrations;
  readonly limits: Pick<RequestLimits, 'addsClient'>;
  /** Call after a change; resolves when every process sees it. */
  readonly clientChanged: (clientId: string) => Promise<void>;
}

export function registrationEndpoint(options: RegistrationOptions): Koa.Middleware {
  return async (ctx, next) => {
    const clientId = findClientId(ctx.path);
    if (ctx.path !== registrationPath && clientId === undefined) {
      await next();
      return;
    }
    ctx.set({ 'Cache-Control': 'no-store', 'Access-Control-Allow-Origin': '*' });
    try {
      if (ctx.method === 'OPTIONS') respondToPreflight(ctx);
      else if (clientId === undefined) await serveRegistration(ctx, options);
      else await serveManagement(ctx, clientId, options);
    } catch (error) {
      rejectRegistration(ctx, error);
    }
  };
}

function findClientId(path: string): string | undefined {
  return path.startsWith(`${registrationPath}/`) ? path.slice(registrationPath.length + 1) : undefined;
}

function respondToPreflight(ctx: Koa.Context): void {
  ctx.set({
    'Access-Control-Allow-Methods': 'POST, GET, PUT, DELETE',
    'Access-Control-Allow-Headers': 'Authorization, Content-Type',
  });
  ctx.status = 204;
}

async function serveRegistration(ctx: Koa.Context, options: RegistrationOptions): Promise<void> {
  const { isOn, registrations, limits, baseUrl } = options;
  if (!isOn) {
    const description = 'Clients cannot register themselves here.';
    respondWith(ctx, { status: 404, error: 'invalid_request', description });
  } else if (ctx.method === 'POST') {
    await limits.addsClient(ctx, 'register');
    const { metadata, token } = await registrations.register(await readJson(ctx));
    ctx.status = 201;
    ctx.body = { ...metadata, ...managementOf(baseUrl, String(metadata['client_id']), token) };
  } else refuseMethod(ctx, ['POST']);
}

const managementMethods = ['GET', 'HEAD', 'PUT', 'DELETE'];

async function serveManagement(ctx: Koa.Context, clientId: string, options: RegistrationOptions): Promise<void> {
  const { registrations, baseUrl, clientChanged } = options;
  if (!managementMethods.includes(ctx.method)) return refuseMethod(ctx, managementMethods);
  const [, token] = /^bearer +(\S+)$/i.exec(ctx.get('authorization')) ?? [];
  if (token === undefined) return refuseManagement(ctx, 'unknown');
  const outcome = await manage(ctx, registrations, { clientId, token });
  if (outcome === 'unknown' || outcome === 'suspended') return refuseManagement(ctx, outcome);
  if (ctx.method === 'PUT' || ctx.method === 'DELETE') await clientChanged(clientId);
  if (outcome === 'deleted') ctx.status = 204;
  else ctx.body = { ...outcome, ...managementOf(baseUrl, clientId, token) };
}

async function manage(
  ctx: Koa.Context,
  registrations: SelfRegistrations,
  credentials: Parameters<SelfRegistrations['read']>[0],
) {
  if (ctx.method === 'DELETE') return await registrations.delete(credentials);
  if (ctx.method === 'PUT') return await registrations.update(credentials, await readJson(ctx));
  return await registrations.read(credentials);
}

function managementOf(baseUrl: string, clientId: string, token: string) {
  return {
    registration_client_uri: `${baseUrl}${registrationPath}/${clientId}`,
    registration_access_token: token,
  };
}

/** Error responses of RFC 7591 §3.2.2 and RFC 7592. */
interface Problem {
  readonly status: number;
  readonly error: string;
  readonly description: string;
}

/** Responds to what is the client's fault. @throws the error, if it is not */
function rejectRegistration(ctx: Koa.Context, error: unknown): void {
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
function refuseManagement(ctx: Koa.Context, reason: Unmanageable): void {
  if (reason === 'suspended') {
    const description = 'An operator has suspended the application.';
    respondWith(ctx, { status: 403, error: 'access_denied', description });
    return;
  }
  ctx.set('WWW-Authenticate', 'Bearer error="invalid_token"');
  const description = 'The registration access token is not valid for this application.';
  respondWith(ctx, { status: 401, error: 'invalid_token', description });
}

function refuseMethod(ctx: Koa.Context, allowed: readonly string[]): void {
  ctx.set('Allow', allowed.join(', '));
  respondWith(ctx, { status: 405, error: 'invalid_request', description: `${ctx.path} does not accept this method.` });
}

function respondWith(ctx: Koa.Context, { status, error, description }: Problem): void {
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
