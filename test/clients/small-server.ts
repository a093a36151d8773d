import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

/** A request, and what its browser has begun here before. */
interface Asked<Visit> {
  readonly url: URL;
  readonly form: URLSearchParams;
  readonly visit: Visit | undefined;
}

/** A page, or where to go on; `visit` begins a new visit of the browser. */
type Reply<Visit> = { readonly html: string } | { readonly goTo: URL; readonly visit?: Visit };

/** By method and path, such as `GET /`. */
export type Routes<Visit> = Readonly<Record<string, (asked: Asked<Visit>) => Promise<Reply<Visit>>>>;

/** Serves `routes` at the address `home` on this machine. What goes wrong in a route is shown as a page. */
export async function serveRoutes<Visit>(home: URL, routes: Routes<Visit>): Promise<AsyncDisposable> {
  const visits = new Map<string, Visit>();
  // Cookies do not tell ports apart.
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
    response.writeHead(303, { location: reply.goTo.href }).end();
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

/** Text as HTML shows it. */
export function escapeHtml(plain: string): string {
  return plain.replaceAll(/[&<>"']/g, (character) => `&#${String(character.codePointAt(0))};`);
}

/** Errors of the SDK have a stable word of their own. */
function errorPage(error: unknown): string {
  const word: unknown = Reflect.get(Object(error), 'code');
  return `<p>That did not work: <code id="error">${escapeHtml(String(word ?? error))}</code> <a href="/">Back</a></p>`;
}

function document(body: string): string {
  const head = '<meta charset="utf-8"><title>Sample application</title><link rel="icon" href="data:,">';
  return `<!doctype html><html lang="en">${head}<main><h1>Sample application</h1>${body}</main></html>`;
}
