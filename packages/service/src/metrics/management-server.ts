import { once } from 'node:events';
import { createServer } from 'node:http';

import { ConfigurationError } from '../configuration-error.ts';
import type { Logger } from '../logger.ts';
import { requestPath } from '../request-path.ts';
import { contentType } from './snapshot.ts';

export interface ManagementOptions {
  readonly host: string;
  /** 0: a free port. */
  readonly port: number;
  /** The port that everybody reaches (PORT). */
  readonly publicPort: number;
  /** Returns the metrics as text. */
  readonly read: () => Promise<string>;
  readonly logger: Logger;
}

export interface ManagementServer extends AsyncDisposable {
  readonly port: number;
}

/**
 * Serves `/metrics` on a port of its own, which must not be public.
 * @throws ConfigurationError if it cannot listen there.
 */
export async function startManagementServer(options: ManagementOptions): Promise<ManagementServer> {
  const { host, port, publicPort, read, logger } = options;
  if (port !== 0 && port === publicPort) throw new ConfigurationError(['MANAGEMENT_PORT: must differ from PORT']);
  const server = createServer((request, response) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (requestPath(request.url) !== '/metrics' || !isRead) {
      response.writeHead(isRead ? 404 : 405, isRead ? {} : { Allow: 'GET, HEAD' }).end();
      return;
    }
    read().then(
      (text) => response.writeHead(200, { 'Content-Type': contentType, 'Cache-Control': 'no-store' }).end(text),
      (error: unknown) => {
        logger.warn({ err: error }, 'the metrics could not be read');
        response.writeHead(503).end();
      },
    );
  });
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (error) {
    throw new ConfigurationError([`MANAGEMENT_HOST, MANAGEMENT_PORT: ${error instanceof Error ? error.message : ''}`]);
  }
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  logger.info({ managementHost: host, managementPort: bound }, 'metrics are served');
  return {
    port: bound,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
