import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';

import { pngImage } from '../media/images.ts';
import type { RunningApi } from './running-api.ts';

type Client = Pick<RunningApi, 'call' | 'port'>;

/** Uploads a file as a part of a multipart body; the default name of the part is `media`. */
export async function sendFile(
  api: Client,
  acct: number,
  sent: Buffer | { readonly file: Buffer; readonly field: string },
) {
  const { file, field } = Buffer.isBuffer(sent) ? { file: sent, field: 'media' } : sent;
  const form = new FormData();
  form.append(field, new Blob([new Uint8Array(file)]), '../../evil name.html');
  return await api.call('POST /media/upload', { claims: { acct }, body: form });
}

/** The id of a new media record of the account. */
export async function uploadImage(api: Client, acct: number, file?: Buffer): Promise<number> {
  const { status, body } = await sendFile(api, acct, file ?? (await pngImage()));
  if (status !== 200) throw new Error(`the upload failed with ${String(status)}: ${JSON.stringify(body)}`);
  return Number(body.finally.media_id);
}

interface Download {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** Requests a URL of the service without a token. The headers may include the pseudo header `method`. */
export async function download(
  api: Client,
  address: string,
  { method = 'GET', ...headers }: Readonly<Record<string, string>> = {},
): Promise<Download> {
  const { pathname, search } = new URL(address, 'https://linnet.example');
  const { promise, resolve, reject } = Promise.withResolvers<Download>();
  const sent = { host: 'linnet.example', ...headers };
  const outgoing = request(
    { host: '127.0.0.1', port: api.port, method, path: pathname + search, headers: sent },
    (response) => {
      buffer(response).then((bytes) => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes });
      }, reject);
    },
  );
  outgoing.on('error', reject);
  outgoing.end();
  return await promise;
}

/** How responses describe a picture. */
export interface DescribedPicture {
  readonly id: number;
  readonly alt: string;
  readonly width: number;
  readonly height: number;
  readonly blurhash: string;
}

/** What describes a picture, without its addresses. */
export function describedBy({ id, alt, width, height, blurhash }: DescribedPicture): DescribedPicture {
  return { id, alt, width, height, blurhash };
}

/** Uploads a picture with what it shows in words. */
export async function uploadDescribed(api: Client, acct: number, alt: string): Promise<DescribedPicture> {
  const body = new FormData();
  body.append('alt', alt);
  body.append('media', new Blob([new Uint8Array(await pngImage())]), 'a.png');
  const { finally: uploaded } = (await api.call('POST /media/upload', { claims: { acct }, body })).body;
  return describedBy({ ...uploaded, id: uploaded.media_id });
}

/** Ids of new media records without files. */
export async function addMedia(
  { db }: Pick<RunningApi, 'db'>,
  ownerId: number,
  count: number,
): Promise<readonly number[]> {
  const data = Array.from({ length: count }, () => ({
    ...{ ownerId, name: `${crypto.randomUUID().replaceAll('-', '')}.png` },
    ...{ bytes: 1, width: 30, height: 20, blurhash: 'L9NVua;$fQ;$|co1fQo1fQfQfQfQ' },
  }));
  return (await db.prisma.media.createManyAndReturn({ data, select: { id: true } })).map(({ id }) => Number(id));
}
