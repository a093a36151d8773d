/**
 * Dynamic client registration (RFC 7591) and its management (RFC 7592). The provider's own endpoints would bypass the rules
 * for settings, names and redirect URIs.
 */
import type { SelfRegistrations } from '@linnet/applications/self-registration/self-registration';
import type Koa from 'koa';

import type { RequestLimits } from '../limits/request-limits.ts';
import { registrationPath } from '../routes.ts';
import { readJson } from './read-json.ts';
import { refuseManagement, refuseMethod, rejectRegistration, respondWith } from './registration-error.ts';

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

const managementMethods = ['GET', 'PUT', 'DELETE'];

async function serveManagement(ctx: Koa.Context, clientId: string, options: RegistrationOptions): Promise<void> {
  const { registrations, baseUrl, clientChanged } = options;
  if (!managementMethods.includes(ctx.method)) return refuseMethod(ctx, managementMethods);
  const [, token] = /^bearer +(\S+)$/i.exec(ctx.get('authorization')) ?? [];
  if (token === undefined) return refuseManagement(ctx, 'unknown');
  const outcome = await manage(ctx, registrations, { clientId, token });
  if (outcome === 'unknown' || outcome === 'suspended') return refuseManagement(ctx, outcome);
  if (ctx.method !== 'GET') await clientChanged(clientId);
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
