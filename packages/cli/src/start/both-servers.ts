import type { RequestHandler } from '@linnet/service/http/http-server';
import type { Readiness, ReadinessCheck } from '@linnet/service/http/readiness';
import { requestPath } from '@linnet/service/http/request-log';

/** D1: paths of the API server. A reverse proxy in front of separate servers must split them the same way. */
const apiPaths = /^\/(?:api|media|p|tags)\/|^\/@|^\/mcp\/?$|^\/\.well-known\/oauth-protected-resource(?:\/|$)/;

export function isApiPath(path: string): boolean {
  return apiPaths.test(path);
}

/** Serves both servers on one port. */
export function routeByPath(auth: RequestHandler, api: RequestHandler): RequestHandler {
  return (request, response) => {
    const handler = isApiPath(requestPath(request.url)) ? api : auth;
    handler(request, response);
  };
}

/** Merges the readiness of servers in one process: a check passes only if it passes for every server that has it. */
export function mergeReadiness(parts: readonly Readiness[]): Readiness {
  return async () => {
    const checks = (await Promise.all(parts.map((part) => part()))).flat();
    const merged = new Map<string, ReadinessCheck>();
    for (const check of checks) if (merged.get(check.name)?.ok !== false) merged.set(check.name, check);
    return [...merged.values()];
  };
}
