import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { generate } from 'selfsigned';

/** A client ID metadata document on https. */
export interface HttpsDocument extends AsyncDisposable {
  /** The URL of the document, which is the `client_id`. */
  readonly url: string;
  /** File with the certificate of its server, for NODE_EXTRA_CA_CERTS of the service that fetches it. */
  readonly certificateFile: string;
}

/** Serves the metadata with its URL as `client_id` on a loopback address, with a certificate of its own. */
export async function serveHttpsDocument(metadata: object): Promise<HttpsDocument> {
  const host = '127.0.0.1';
  const { cert, private: key } = await generate([{ name: 'commonName', value: host }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: host }] }],
  });
  const folder = await mkdtemp(join(tmpdir(), 'linnet-certificate-'));
  const certificateFile = join(folder, 'certificate.pem');
  await writeFile(certificateFile, cert);
  const server = createServer({ cert, key }, (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ client_id: url, ...metadata }));
  });
  server.listen(0, host);
  await once(server, 'listening');
  const url = `https://${host}:${String((server.address() as AddressInfo).port)}/client.json`;
  return {
    url,
    certificateFile,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      await rm(folder, { recursive: true });
    },
  };
}
