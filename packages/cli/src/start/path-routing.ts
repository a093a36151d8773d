import type { RequestHandler } from '@linnet/service/http/http-server';
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
