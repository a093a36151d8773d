import type { RequestHandler } from '@linnet/service/http-server';
import { requestPath } from '@linnet/service/request-path';

/** decisions D1: what belongs to the API server; a reverse proxy in production splits alike. */
const apiPaths = /^\/(?:api|media|p)\/|^\/@|^\/\.well-known\/oauth-protected-resource(?:\/|$)/;

export function isApiPath(path: string): boolean {
  return apiPaths.test(path);
}

/** Both servers behind one port. */
export function routeByPath(auth: RequestHandler, api: RequestHandler): RequestHandler {
  return (request, response) => {
    const handler = isApiPath(requestPath(request.url)) ? api : auth;
    handler(request, response);
  };
}
