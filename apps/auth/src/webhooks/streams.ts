/** What the application of a registered API can do with its security event streams (Shared Signals Framework 1.0 §8). */
import { randomBytes, randomUUID } from 'node:crypto';

import type { Db } from '@linnet/db/database';
import type { KeyRing } from '@linnet/keys/key-ring';
import { seal } from '@linnet/keys/sealing';
import { FetchFailed, publicFailure } from '@linnet/media/fetch/fetch-target';
import { postToAddress } from '@linnet/media/fetch/public-post';
import { z } from 'zod';

import { countRequest } from './endpoint-store.ts';
import {
  deliveryMethods,
  describeStatus,
  describeStream,
  eventTypes,
  signSecurityEvent,
  streamPaths,
  toPushHeaders,
} from './security-events.ts';
import {
  acknowledgeSignals,
  deleteStream,
  findManagedApis,
  findWaitingSignals,
  insertStream,
  insertVerification,
  listStreams,
  setStreamStatus,
  signalKinds,
  takeStreamId,
  updateStream,
} from './signal-store.ts';
import type { ManagedApi, Stream } from './signal-store.ts';
import { challengeLimits, challengesPerHour, isWebhookUrl, purpose, testsPerHour, webhookPorts } from './webhooks.ts';
import type { WebhooksOptions } from './webhooks.ts';

const maxStreams = 5;
/** Events in a response to a poll. */
const maxPolled = 100;

/** The codes of refusals by status. */
const codes = {
  400: 'invalid_request',
  401: 'invalid_token',
  403: 'access_denied',
  404: 'not_found',
  405: 'invalid_request',
  409: 'conflict',
  429: 'temporarily_unavailable',
} as const;

/** A request that is not served. */
export class StreamRefused extends Error {
  override readonly name = 'StreamRefused';
  readonly status: keyof typeof codes;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: StreamRefused['status'], description: string, headers: StreamRefused['headers'] = {}) {
    super(description);
    [this.status, this.headers] = [status, headers];
  }

  get code(): string {
    return codes[this.status];
  }
}

const text = z.string().max(2048);
const streamId = z.string().max(20);
const deliverySchema = z.object({
  method: z.enum(deliveryMethods),
  endpoint_url: text.optional(),
  authorization_header: z
    .string()
    .max(1024)
    .regex(/^[\x20-\x7e]*$/)
    .optional(),
});
const settingsSchema = z.object({
  aud: z.union([text, z.array(text).length(1)]).optional(),
  delivery: deliverySchema.optional(),
  events_requested: z.array(text).max(100).optional(),
  description: z.string().max(256).optional(),
});
const namedSchema = z.object({ stream_id: streamId });
const statusSchema = namedSchema.extend({ status: z.enum(['enabled', 'paused', 'disabled']) });
const verificationSchema = namedSchema.extend({ state: z.string().max(1024).optional() });
const names = z.array(z.string().max(64)).max(1000);
const pollSchema = z.object({
  ack: names.default([]),
  setErrs: z.record(z.string().max(64), z.unknown()).default({}),
  maxEvents: z.int().min(0).default(maxPolled),
  returnImmediately: z.boolean().default(false),
});
type Settings = z.infer<typeof settingsSchema>;

export interface StreamsOptions extends WebhooksOptions {
  readonly db: Db;
  readonly keyRing: KeyRing;
}

export type Streams = ReturnType<typeof createStreams>;

/** The calls of an application. Bodies are JSON that is not yet checked. Each @throws StreamRefused */
export function createStreams(options: StreamsOptions) {
  return { ...createManagement(options), ...createUse(options) };
}

async function findStream(db: Db, clientId: string, id: unknown): Promise<Stream> {
  const found = (await listStreams(db, { clientId })).find((stream) => String(stream.id) === id);
  if (found === undefined) throw new StreamRefused(404, 'there is no such stream');
  return found;
}

function createManagement(options: StreamsOptions) {
  const { db, baseUrl } = options;
  const read = async (clientId: string, id: unknown) => describeStream(baseUrl, await findStream(db, clientId, id));
  return {
    read,
    list: async (clientId: string) => (await listStreams(db, { clientId })).map((one) => describeStream(baseUrl, one)),
    create: async (clientId: string, body: unknown) => {
      const settings = parse(settingsSchema, body);
      const api = chooseApi(await findManagedApis(db, clientId), [settings.aud].flat()[0]);
      const id = await takeStreamId(db);
      const { secret, ...delivery } = readDelivery(options, id, settings);
      const kinds = chooseKinds(settings);
      if (!delivery.isPolled) await ask(options, { ...delivery, id, clientId, api, secret });
      const secretJwe = seal(secret, purpose, options.secretKeys);
      const stream = { ...delivery, id, clientId, kinds, description: settings.description ?? null };
      const isMade = await insertStream(db, { ...stream, apiId: api.id, secretJwe, max: maxStreams });
      if (isMade) return await read(clientId, String(id));
      throw new StreamRefused(409, `an API has at most ${String(maxStreams)} streams, each with another endpoint_url`);
    },
    /** Changes the settings that are given. */
    change: async (clientId: string, body: unknown) => {
      const stream = await findStream(db, clientId, parse(namedSchema, body).stream_id);
      const settings = parse(settingsSchema, body);
      const kinds = settings.events_requested === undefined ? stream.kinds : chooseKinds(settings);
      const delivery = settings.delivery && readDelivery(options, stream.id, settings);
      await save(options, stream, { description: settings.description ?? stream.description, kinds, delivery });
      return await read(clientId, String(stream.id));
    },
    /** Replaces all settings. */
    replace: async (clientId: string, body: unknown) => {
      const stream = await findStream(db, clientId, parse(namedSchema, body).stream_id);
      const settings = parse(settingsSchema, body);
      const delivery = readDelivery(options, stream.id, settings);
      await save(options, stream, {
        description: settings.description ?? null,
        kinds: chooseKinds(settings),
        delivery,
      });
      return await read(clientId, String(stream.id));
    },
    remove: async (clientId: string, id: unknown) => await deleteStream(db, (await findStream(db, clientId, id)).id),
  };
}

interface Saved extends Pick<Stream, 'kinds' | 'description'> {
  readonly delivery: ReturnType<typeof readDelivery> | undefined;
}

/** Without `delivery`, it stays. */
async function save(options: StreamsOptions, stream: Stream, { kinds, description, delivery }: Saved): Promise<void> {
  const { isPolled, url, secret } = delivery ?? { ...stream, secret: undefined };
  if (isPolled !== stream.isPolled) throw new StreamRefused(400, 'another delivery method needs another stream');
  if (secret !== undefined && !isPolled) await ask(options, { ...stream, url, secret });
  const secretJwe = secret === undefined ? undefined : seal(secret, purpose, options.secretKeys);
  const isUpdated = await updateStream(options.db, { id: stream.id, url, kinds, description }, secretJwe);
  if (!isUpdated) throw new StreamRefused(409, 'another stream has this endpoint_url');
}

interface PollCall {
  readonly clientId: string;
  /** Of the stream. */
  readonly id: string;
  /** Until it has events. @throws StreamRefused if the access has ended */
  readonly wait: (stream: { readonly streamId: number; readonly isOpen: boolean }) => Promise<void>;
}

function createUse(options: StreamsOptions) {
  const { db } = options;
  return {
    status: async (clientId: string, id: unknown) => describeStatus(await findStream(db, clientId, id)),
    setStatus: async (clientId: string, body: unknown) => {
      const { stream_id: id, status } = parse(statusSchema, body);
      const stream = await findStream(db, clientId, id);
      await setStreamStatus(db, stream.id, { isPaused: status === 'paused', isOff: status === 'disabled' });
      return describeStatus(await findStream(db, clientId, id));
    },
    verify: async (clientId: string, body: unknown) => {
      const { stream_id: id, state } = parse(verificationSchema, body);
      const stream = await findStream(db, clientId, id);
      await count(options, 'test', clientId);
      await insertVerification(db, stream.id, state);
    },
    poll: async ({ clientId, id, wait }: PollCall, body: unknown) => {
      const { ack, setErrs, maxEvents, returnImmediately } = parse(pollSchema, body);
      const limit = Math.min(maxEvents, maxPolled);
      const stream = await findStream(db, clientId, id);
      if (!stream.isPolled) throw new StreamRefused(404, 'the events of this stream are pushed');
      const refused = Object.keys(setErrs);
      if (ack.length + refused.length > 0) await acknowledgeSignals(db, stream.id, { received: ack, refused });
      const offered = await offer(options, stream, limit);
      if (limit === 0 || returnImmediately || Object.keys(offered.sets).length > 0) return offered;
      await wait({ streamId: stream.id, isOpen: stream.offSince === null && !stream.isPaused });
      return await offer(options, await findStream(db, clientId, id), limit);
    },
  };
}

/** The oldest events; they are offered again until the receiver acknowledges them (RFC 8936 §2.4). */
async function offer({ db, baseUrl, keyRing }: StreamsOptions, stream: Stream, limit: number) {
  const waiting = await findWaitingSignals(db, stream.id, limit + 1);
  const sets = await Promise.all(
    waiting
      .slice(0, limit)
      .map(
        async (signal) =>
          [
            signal.messageId,
            await signSecurityEvent(keyRing, { ...signal, issuer: baseUrl, api: stream.api }),
          ] as const,
      ),
  );
  return { sets: Object.fromEntries(sets), moreAvailable: waiting.length > limit };
}

/** @throws StreamRefused */
function parse<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  const { data, error } = schema.safeParse(body);
  if (data !== undefined) return data;
  const [issue] = error?.issues ?? [];
  const where = issue?.path.map(String).join('.') ?? '';
  throw new StreamRefused(400, `${where === '' ? 'the body' : where}: ${issue?.message ?? 'invalid'}`);
}

function chooseApi(apis: readonly ManagedApi[], identifier: string | undefined): ManagedApi {
  if (apis.length === 0) {
    throw new StreamRefused(
      403,
      'no registered API has chosen this application. Its owner chooses one in the developer area, under APIs',
    );
  }
  const found = identifier === undefined ? apis : apis.filter((api) => api.identifier === identifier);
  const [api, ...others] = found;
  if (api === undefined || others.length > 0) {
    throw new StreamRefused(400, `aud must be one of ${apis.map((one) => one.identifier).join(', ')}`);
  }
  return api;
}

/** All if none is asked for. */
function chooseKinds({ events_requested: requested }: Settings): Stream['kinds'] {
  const kinds =
    requested === undefined ? signalKinds : signalKinds.filter((kind) => requested.includes(eventTypes[kind]));
  if (kinds.length > 0) return kinds;
  throw new StreamRefused(400, `events_requested: none of ${signalKinds.map((kind) => eventTypes[kind]).join(', ')}`);
}

function readDelivery({ baseUrl }: StreamsOptions, id: number, { delivery }: Settings) {
  // The default of SSF §8.1.1.
  if (delivery === undefined || delivery.method === deliveryMethods.poll) {
    return { isPolled: true, url: `${baseUrl}${streamPaths.poll}/${String(id)}`, secret: '' };
  }
  const { endpoint_url: url = '', authorization_header: secret = '' } = delivery;
  if (!isWebhookUrl(url)) throw new StreamRefused(400, 'delivery.endpoint_url is not an http or https URL');
  return { isPolled: false, url, secret };
}

const perHour = { challenge: challengesPerHour, test: testsPerHour } as const;

async function count({ db }: StreamsOptions, kind: keyof typeof perHour, clientId: string): Promise<void> {
  if ((await countRequest(db, kind, clientId)) > perHour[kind]) throw new StreamRefused(429, 'too many in this hour');
}

interface Asked extends Pick<Stream, 'id' | 'clientId' | 'url'> {
  readonly api: Stream['api'];
  readonly secret: string;
}

/**
 * Pushes a verification, which the address must accept: nobody can have events sent to an address that they do not control.
 * @throws StreamRefused
 */
async function ask(options: StreamsOptions, { id, clientId, url, api, secret }: Asked): Promise<void> {
  const { baseUrl, allow, keyRing } = options;
  await count(options, 'challenge', clientId);
  const body = await signSecurityEvent(keyRing, {
    ...{ issuer: baseUrl, kind: 'stream.verified', messageId: `msg_${randomUUID().replaceAll('-', '')}` },
    ...{ endpointId: id, accountId: 0, happenedAt: new Date(), api },
    signal: { state: randomBytes(12).toString('base64url') },
  });
  const problem = await postToAddress({
    ...{
      address: url,
      headers: toPushHeaders(secret),
      body,
      userAgent: `Linnet (+${baseUrl})`,
      limits: challengeLimits,
    },
    rules: { allow, ports: webhookPorts },
  }).then(
    ({ status }) =>
      status === 202 ? undefined : `its response to a verification has the status ${String(status)}, not 202`,
    (error: unknown) => {
      if (error instanceof FetchFailed) return `it cannot be reached (${publicFailure(error)})`;
      throw error;
    },
  );
  if (problem !== undefined) throw new StreamRefused(400, `delivery.endpoint_url: ${problem}`);
}
