import { createServer } from 'node:http';

import { findFreePort } from './service.ts';

/** A site of static files, as the developer of a web application has. */
export interface StaticSite extends AsyncDisposable {
  /** Ends with a slash. */
  readonly home: string;
}

/** Serves files by path, and the page `/`, by default one that loads `/page.js`, at every other path. */
export async function serveSite(files: Readonly<Record<string, string>>): Promise<StaticSite> {
  const port = await findFreePort();
  const home = `http://127.0.0.1:${String(port)}/`;
  const html =
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Page</title><link rel="icon" href="data:,"><script type="module" src="/page.js"></script><body></body></html>';
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').replace(/\?.*/, '');
    response.setHeader('content-type', path.endsWith('.js') ? 'text/javascript' : 'text/html');
    response.end(files[path] ?? files['/'] ?? html);
  });
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve));
  return {
    home,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
