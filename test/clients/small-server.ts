import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

/** A request, with the state of its browser session. */
interface RouteRequest<Visit> {
  readonly url: URL;
  readonly form: URLSearchParams;
  readonly visit: Visit | undefined;
}

/** A page or a redirect; `visit` starts a new browser session. */
type Reply<Visit> = { readonly html: string } | { readonly redirectTo: URL; readonly visit?: Visit };

/** Handlers by method and path, such as `GET /`. */
export type Routes<Visit> = Readonly<Record<string, (request: RouteRequest<Visit>) => Promise<Reply<Visit>>>>;

/** Serves `routes` at `home`, an address of this machine. An error in a route becomes a page. */
export async function serveRoutes<Visit>(home: URL, routes: Routes<Visit>): Promise<AsyncDisposable> {
  const visits = new Map<string, Visit>();
  // Cookies are shared by all ports of a host.
  const cookie = `visit_${home.port}`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', home);
    const route = routes[`${request.method ?? ''} ${url.pathname}`];
    if (route === undefined) return void response.writeHead(404).end();
    const id = new RegExp(`\\b${cookie}=([\\w-]+)`).exec(request.headers.cookie ?? '')?.[1] ?? '';
    const form = new URLSearchParams(await text(request));
    const reply = await route({ url, form, visit: visits.get(id) }).catch((error: unknown) => ({
      html: errorPage(error),
    }));
    if ('html' in reply) return void response.writeHead(200, { 'content-type': 'text/html' }).end(document(reply.html));
    if (reply.visit !== undefined) {
      const fresh = randomUUID();
      visits.set(fresh, reply.visit);
      response.setHeader('set-cookie', `${cookie}=${fresh}; HttpOnly; SameSite=Lax; Path=/`);
    }
    response.writeHead(303, { location: reply.redirectTo.href }).end();
  }

  const server = createServer((request, response) => void answer(request, response));
  server.listen(Number(home.port), home.hostname);
  await once(server, 'listening');
  return {
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Escapes text for HTML. */
export function escapeHtml(plain: string): string {
  return plain.replaceAll(/[&<>"']/g, (character) => `&#${String(character.codePointAt(0))};`);
}

/** Errors of the SDK have a stable `code`. */
function errorPage(error: unknown): string {
  const code: unknown = Reflect.get(Object(error), 'code');
  return `<p>That did not work: <code id="error">${escapeHtml(String(code ?? error))}</code> <a href="/">Back</a></p>`;
}

function document(body: string): string {
  const head = '<meta charset="utf-8"><title>Sample application</title><link rel="icon" href="data:,">';
  return `<!doctype html><html lang="en">${head}<main><h1>Sample application</h1>${body}</main></html>`;
}
