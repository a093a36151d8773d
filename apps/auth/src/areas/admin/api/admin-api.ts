/**
 * The admin API, `/admin/api/v1`: what operators do on the pages, for applications that an operator has allowed (ADR 36).
 * Its rows are in `packages/contract/src/admin`.
 */
import { NotAnOperator } from '@linnet/accounts/operators/operator-act';
import { findOperatorStanding } from '@linnet/accounts/operators/role-store';
import { adminApiPath, methodOf } from '@linnet/contract/admin/admin-route';
import type { AdminRoute } from '@linnet/contract/admin/admin-route';
import { errorCatalogue } from '@linnet/contract/errors';
import type { ParameterProblem } from '@linnet/contract/errors';
import { negotiateLanguage } from '@linnet/contract/languages';
import { DatabaseUnavailable } from '@linnet/db/connection/database-error';
import { KeyInProgress, KeyReused, findOutcome } from '@linnet/db/statement/run-once';
import type { RequestState } from '@linnet/service/http/request-log';
import type Koa from 'koa';
import type { z } from 'zod';

import { writeLimitHeaders } from '../../../protocol/limits/limit-requests.ts';
import { RateLimited } from '../../../protocol/limits/request-limits.ts';
import type { RequestLimits } from '../../../protocol/limits/request-limits.ts';
import { JsonRefused, readJson } from '../../../protocol/request/read-json.ts';
import { createClaimOnce } from '../../../protocol/storage/stored-payload.ts';
import type { ReadAccessToken } from '../../../protocol/token/own-access-token.ts';
import { anyChallenge, createBindingCheck, findAuthorization } from '../../../protocol/token/presented-token.ts';
import { toCall, toKeyed } from './admin-endpoint.ts';
import type { AdminEndpoint, AdminRequest, AdminServices, Caller } from './admin-endpoint.ts';
import { adminEndpoints } from './admin-endpoints.ts';
import { AdminRefused, refuseParameter, toProblem } from './admin-problem.ts';

interface AdminApiOptions extends AdminServices {
  /** Reads tokens for our own API. */
  readonly readAccessToken: ReadAccessToken;
  readonly limits: RequestLimits;
}

const byPath = new Map(adminEndpoints.map((one) => [adminApiPath + one.route.path, one]));

export function adminApi(options: AdminApiOptions): Koa.Middleware {
  const { baseUrl, limits } = options;
  const authenticate = createAuthentication(options);
  return async (ctx, next) => {
    if (ctx.path !== adminApiPath && !ctx.path.startsWith(`${adminApiPath}/`)) {
      await next();
      return;
    }
    ctx.set('Cache-Control', 'no-store');
    try {
      await limits.begin(ctx);
      const endpoint = findEndpoint(ctx);
      const caller = await authenticate(ctx, endpoint.route);
      const input = await readInput(ctx, endpoint.route);
      ctx.body = await answer(ctx, endpoint, { services: options, caller, input });
    } catch (error) {
      const refused = toRefused(error);
      const { requestId }: Pick<RequestState, 'requestId'> = ctx.state;
      ctx.set({ ...refused.extras.headers });
      ctx.status = errorCatalogue[refused.code].status;
      ctx.type = 'application/problem+json';
      ctx.body = JSON.stringify(toProblem(refused, { baseUrl, language: negotiateLanguage(ctx), requestId }));
    } finally {
      writeLimitHeaders(ctx, limits);
    }
  };
}

/** @throws AdminRefused, KeyInProgress, KeyReused */
async function answer(ctx: Koa.Context, endpoint: AdminEndpoint, request: AdminRequest): Promise<unknown> {
  const { services, input } = request;
  const keyed = toKeyed(ctx, endpoint.route, request);
  // Before what an act does outside of its transaction.
  const stored = keyed && (await findOutcome(services.db, keyed.act));
  return stored === undefined ? await endpoint.handle(input, toCall(request, keyed)) : keyed?.toResponse(stored);
}

/** @throws AdminRefused */
function findEndpoint(ctx: Koa.Context): AdminEndpoint {
  const endpoint = byPath.get(ctx.path);
  if (endpoint === undefined) throw new AdminRefused('unknown-endpoint', { detail: 'Check the path.' });
  const allowed = methodOf(endpoint.route) === 'GET' ? ['GET', 'HEAD'] : ['POST'];
  if (allowed.includes(ctx.method)) return endpoint;
  throw new AdminRefused('method-not-allowed', { headers: { Allow: allowed.join(', ') } });
}

/** What the token allows. @throws AdminRefused, RateLimited */
function createAuthentication({ baseUrl, db, readAccessToken, limits }: AdminApiOptions) {
  const requireProof = createBindingCheck(baseUrl, createClaimOnce(db));
  return async (ctx: Koa.Context, { scope }: AdminRoute): Promise<Caller> => {
    const presented = findAuthorization(ctx.get('authorization'));
    if (presented === undefined) throw challenge('token-required', anyChallenge);
    const claims = await requireProof(ctx, presented, await readAccessToken(presented.token));
    if (typeof claims === 'string') throw challenge('invalid_token', claims);
    const { acct: operatorId, client_id: clientId } = claims;
    if (operatorId !== undefined) await limits.presentedToken(ctx, 'admin-api', { clientId, accountId: operatorId });
    if (claims.scope?.split(' ').includes(scope) !== true) {
      const headers = { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` };
      throw new AdminRefused('insufficient_scope', { scope, headers });
    }
    if (operatorId === undefined) throw new AdminRefused('user-context-required');
    const standing = await findOperatorStanding(db, operatorId);
    if (standing?.factors !== 'known') throw new AdminRefused('operator-required');
    return { operatorId, clientId };
  };
}

function challenge(code: 'token-required' | 'invalid_token', value: string): AdminRefused {
  return new AdminRefused(code, { headers: { 'WWW-Authenticate': value } });
}

/** @throws AdminRefused, JsonRefused */
async function readInput(ctx: Koa.Context, route: AdminRoute): Promise<unknown> {
  const given = methodOf(route) === 'POST' ? await readJson(ctx) : readQuery(ctx);
  const { success, error } = route.input.safeParse(given);
  if (success) return given;
  throw new AdminRefused('invalid-parameter', { errors: error.issues.map((issue) => toProblemOf(issue, given)) });
}

/** An empty parameter counts as absent. @throws AdminRefused */
function readQuery({ query }: Koa.Context): Readonly<Record<string, unknown>> {
  const entries = Object.entries(query).filter(([, value]) => value !== '');
  for (const [name, value] of entries) {
    if (typeof value !== 'string') throw refuseParameter(name, 'repeated', 'is given more than once');
    if (value.includes('\0')) throw refuseParameter(name, 'invalid', 'contains a character that cannot be stored');
  }
  return Object.fromEntries(entries);
}

function toProblemOf({ path: [first], message }: z.core.$ZodIssue, given: unknown): ParameterProblem {
  const parameter = String(first ?? 'body');
  const isMissing = typeof given === 'object' && given !== null && !(parameter in given);
  if (first !== undefined && isMissing) return { parameter, code: 'missing', detail: 'is required' };
  return { parameter, code: 'invalid', detail: message };
}

const jsonCodes = { 400: 'malformed-body', 413: 'body-too-large', 415: 'unsupported-media-type' } as const;

/** @throws everything that is a defect */
function toRefused(error: unknown): AdminRefused {
  if (error instanceof AdminRefused) return error;
  if (error instanceof RateLimited) return new AdminRefused('rate-limited');
  if (error instanceof NotAnOperator) return new AdminRefused('operator-required');
  if (error instanceof JsonRefused) return new AdminRefused(jsonCodes[error.status], { detail: error.message });
  if (error instanceof KeyReused) return new AdminRefused('idempotency-key-reused', { detail: error.message });
  if (error instanceof KeyInProgress) return refuseForNow('idempotency-in-progress', error.message);
  if (error instanceof DatabaseUnavailable) return refuseForNow('unavailable');
  throw error;
}

function refuseForNow(code: 'unavailable' | 'idempotency-in-progress', detail?: string): AdminRefused {
  return new AdminRefused(code, { headers: { 'Retry-After': '1' }, ...(detail === undefined ? {} : { detail }) });
}
