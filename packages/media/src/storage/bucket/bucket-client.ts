/**
 * Requests to an object store that speaks the S3 protocol, signed with AWS Signature Version 4:
 * https://docs.aws.amazon.com/AmazonS3/latest/API/. Redirects are not followed.
 */
import type { Readable } from 'node:stream';

import type { BucketSettings } from '@linnet/service/config/variables';
import { AwsV4Signer } from 'aws4fetch';
import type { Agent } from 'undici';

import { StorageUnavailable } from '../media-storage.ts';
import { sendRepeatedly } from './repeated-requests.ts';
import type { BucketResponse, Patience } from './repeated-requests.ts';

/** A request for one object, or for the bucket without a key. */
interface BucketRequest {
  /** What metrics and traces call it. */
  readonly operation: 'head' | 'get' | 'put' | 'copy' | 'delete' | 'list';
  /** Below the prefix. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: BucketBody;
  /** Replaces that of the client. */
  readonly patience?: Partial<Patience>;
}

/** The content of an object. The object store rejects a body with another hash, such as one that was cut off. */
export interface BucketBody {
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  /** Opens the content from its beginning, once for each attempt. */
  readonly open: () => Readable | string;
}

/** Observes a request from its start; the function that it returns is called at its end, with the error if there was one. */
export type ObserveRequest = (operation: string) => (error?: unknown) => void;

/** Disposal closes the connections. */
export interface BucketClient extends AsyncDisposable {
  readonly prefix: string;
  readonly bucket: string;
  /**
   * Sends a request, up to three times.
   * @throws StorageUnavailable; StorageFailed if the object store is full
   */
  send(request: BucketRequest): Promise<BucketResponse>;
  /** Returns a URL of an object for GET without credentials. */
  presign(
    key: string,
    options: { readonly seconds: number; readonly query: Readonly<Record<string, string>> },
  ): Promise<string>;
}

/** A request for an object takes at most four seconds, less than PostgreSQL lets a transaction be idle. */
const defaultPatience: Patience = { attempts: 3, totalMs: 4000, attemptMs: 2000, pauseMs: 100 };

const methods = { head: 'HEAD', get: 'GET', list: 'GET', put: 'PUT', copy: 'PUT', delete: 'DELETE' } as const;
/** SHA-256 of nothing. */
const emptySha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

interface BucketClientOptions {
  readonly observe?: ObserveRequest | undefined;
  readonly patience?: Partial<Patience> | undefined;
}

export function createBucketClient(settings: BucketSettings, options: BucketClientOptions = {}): BucketClient {
  const { observe = () => () => undefined } = options;
  const patience = { ...defaultPatience, ...options.patience };
  let connections: Promise<Agent> | undefined;
  const address = createAddresses(settings);
  const credentials = {
    accessKeyId: settings.accessKeyId.reveal(),
    secretAccessKey: settings.secretAccessKey.reveal(),
    ...{ region: settings.region, service: 's3', cache: new Map<string, ArrayBuffer>() },
  };
  const sign = async ({ operation, key, query, headers, body }: BucketRequest) => {
    const hash = { 'x-amz-content-sha256': body?.sha256 ?? emptySha256 };
    const method = methods[operation];
    const sizes = method === 'PUT' ? { 'content-length': String(body?.bytes ?? 0) } : {};
    const signer = new AwsV4Signer({
      ...credentials,
      method,
      url: address(key, query),
      headers: { ...headers, ...hash },
    });
    const { url, headers: signed } = await signer.sign();
    return { method, url, headers: { ...Object.fromEntries(signed), ...sizes } };
  };
  return {
    prefix: settings.prefix,
    bucket: settings.bucket,
    send: async (request) => {
      const end = observe(request.operation);
      try {
        const response = await sendRepeatedly(
          async () => {
            const dispatcher = await (connections ??= createConnections(patience));
            return { ...(await sign(request)), dispatcher, body: request.body?.open() ?? null };
          },
          { ...patience, ...request.patience },
        );
        end();
        return response;
      } catch (error) {
        end(error);
        throw error;
      }
    },
    presign: async (key, { seconds, query }) => {
      const url = address(key, { ...query, 'X-Amz-Expires': String(seconds) });
      return (await new AwsV4Signer({ ...credentials, method: 'GET', url, signQuery: true }).sign()).url.href;
    },
    [Symbol.asyncDispose]: async () => await (await connections)?.close(),
  };
}

/** Most services store images on the disk, so this library is loaded with the first request. */
async function createConnections({ attemptMs }: Patience): Promise<Agent> {
  const { Agent: HttpAgent } = await import('undici');
  return new HttpAgent({ connect: { timeout: attemptMs }, connections: 64, pipelining: 1 });
}

/** Returns what makes the URL of a key below the prefix. */
function createAddresses({ endpoint, bucket, prefix, isPathStyle }: BucketSettings) {
  const origin = new URL(endpoint);
  if (!isPathStyle) origin.host = `${bucket}.${origin.host}`;
  const base = isPathStyle ? `${origin.origin}/${bucket}/` : `${origin.origin}/`;
  return (key: string | undefined, query: Readonly<Record<string, string>> = {}): string => {
    const url = new URL(key === undefined ? base.replace(/(.)\/$/, '$1') : base + prefix + key);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url.href;
  };
}

/** Reads a small body. @throws StorageUnavailable */
export async function readText(response: Pick<BucketResponse, 'body'>): Promise<string> {
  try {
    let text = '';
    for await (const chunk of response.body.setEncoding('utf8')) text += String(chunk);
    return text;
  } catch (error) {
    throw new StorageUnavailable('the response of the object store was cut off', { cause: error });
  }
}
