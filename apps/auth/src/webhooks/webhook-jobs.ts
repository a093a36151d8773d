/** The jobs that dispatch events and send them. Every process runs them; each message is claimed by one of them. */
import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import type { KeyRing } from '@linnet/keys/key-ring';
import { FetchFailed } from '@linnet/media/fetch/fetch-target';
import { postToAddress } from '@linnet/media/fetch/public-post';
import type { Queryable, Transactional } from '@linnet/db/statement/transaction';
import type { Job } from '@linnet/service/jobs/job';

import type { AuthEvents } from '../audit/events.ts';
import {
  claimDeliveries,
  failWaitingDeliveries,
  finishDelivery,
  isDeliveryDue,
  postponeDelivery,
  sweepDeliveries,
} from './delivery-store.ts';
import type { ClaimedDelivery } from './delivery-store.ts';
import { dispatchEvents, isDispatchDue } from './dispatch-store.ts';
import { turnFailingEndpointOff, turnFullEndpointsOff } from './endpoint-store.ts';
import { sweepStreams } from './signal-store.ts';
import { signMessage, toMessage } from './signature.ts';
import { signSecurityEvent, toPushHeaders } from './security-events.ts';
import { createWebhooks, openSecrets, webhookPorts } from './webhooks.ts';
import type { WebhooksOptions } from './webhooks.ts';

interface WebhookJobsOptions extends WebhooksOptions {
  /** The newest keys, which sign security events. */
  readonly keyRing: () => KeyRing;
  readonly events: Pick<AuthEvents, 'webhookDelivered' | 'webhookDelayed' | 'webhookGivenUp' | 'webhookSwitchedOff'>;
}

const dispatchEveryMs = 250;
const deliverEveryMs = 500;
const sweepEveryMs = 600_000;
/** Endpoints at a time. */
const batch = 10;
/** Longer than an attempt takes. After a crash, claimed messages are delayed this long. */
const leaseSeconds = 60;
const minute = 60;
/** Delays in seconds before the second attempt, the third and so on; the last one repeats. A response can ask for a longer one. */
const retryDelays = [5, 30, 2 * minute, 10 * minute, 30 * minute, 60 * minute, 120 * minute] as const;
/** Of a delay, in percent, so that what failed together is not sent again together. */
const jitterPercent = 20;
const day = 86_400;
/** A message is given up after this time. */
const maxAgeMs = 3 * day * 1000;
/** An endpoint that failed for this time is turned off. */
const offAfterSeconds = 5 * day;
/** Messages that may wait for one endpoint: some 50 MB of the database. */
const maxWaiting = 100_000;
const boundEveryMs = 30_000;
/** Messages that are given up in one statement. */
const givenUpAtOnce = 5000;
/** The body of a response is not read. */
const limits = { maxBytes: 0, connectMs: 3000, headersMs: 15_000, totalMs: 20_000 } as const;

export function createWebhookJobs(options: WebhookJobsOptions): readonly Job[] {
  const { db } = options;
  const webhooks = createWebhooks(options);
  return [
    {
      name: 'webhook-dispatch',
      everyMs: dispatchEveryMs,
      due: isDispatchDue,
      run: async (stopping) => await dispatchEvents(db, stopping),
    },
    {
      name: 'webhook-deliveries',
      everyMs: deliverEveryMs,
      due: isDeliveryDue,
      run: async (stopping) => await deliverAll(options, stopping),
    },
    {
      name: 'webhook-bound',
      everyMs: boundEveryMs,
      run: async () => await boundWaiting(options, maxWaiting),
    },
    {
      name: 'webhook-sweep',
      everyMs: sweepEveryMs,
      run: async (stopping) => {
        await sweepDeliveries(db, stopping);
        await sweepStreams(db, stopping);
      },
    },
    { name: 'webhook-secrets', everyMs: sweepEveryMs, run: async () => await webhooks.reseal() },
  ];
}

interface BoundOptions {
  readonly db: Queryable & Transactional;
  readonly events: Pick<AuthEvents, 'webhookSwitchedOff'>;
}

/**
 * Turns endpoints off for which `max` messages wait, and gives up what waits for those that are off: the owner can send it again. So an
 * endpoint that is down for a day, or slower than events happen, does not fill the database.
 */
export async function boundWaiting({ db, events }: BoundOptions, max: number): Promise<void> {
  for (const { clientId } of await turnFullEndpointsOff(db, max)) events.webhookSwitchedOff({ clientId });
  while ((await failWaitingDeliveries(db, givenUpAtOnce)) === givenUpAtOnce);
}

/** Sends what is due, until nothing is, and returns when all attempts have ended. An endpoint that responds slowly delays only itself. */
async function deliverAll(options: WebhookJobsOptions, stopping: AbortSignal): Promise<void> {
  const sending = new Map<number, Promise<void>>();
  const errors: unknown[] = [];
  async function sendAll(endpointId: number, deliveries: readonly ClaimedDelivery[]): Promise<void> {
    try {
      await Promise.all(deliveries.map((delivery) => deliver(options, delivery, stopping)));
    } catch (error) {
      errors.push(error);
    }
    sending.delete(endpointId);
  }
  for (;;) {
    const claim = { limit: batch, leaseSeconds, except: [...sending.keys()] };
    const claimed = stopping.aborted || errors.length > 0 ? [] : await claimDeliveries(options.db, claim);
    for (const [endpointId, deliveries] of Map.groupBy(claimed, (one) => one.endpointId)) {
      sending.set(endpointId, sendAll(endpointId, deliveries));
    }
    if (sending.size === 0) break;
    await Promise.race([...sending.values(), delay(deliverEveryMs, undefined, { ref: false })]);
  }
  if (errors.length > 0) throw errors[0];
}

async function deliver(options: WebhookJobsOptions, delivery: ClaimedDelivery, stopping: AbortSignal): Promise<void> {
  const { db, events } = options;
  const { clientId, attempts, kind } = delivery;
  if (!delivery.isAllowed) {
    await finishDelivery(db, delivery, { state: 'dropped', status: null, durationMs: null });
    return;
  }
  const startedAt = performance.now();
  const response = await send(options, delivery, stopping);
  const durationMs = Math.round(performance.now() - startedAt);
  const { status } = response;
  if (status !== null && status >= 200 && status < 300) {
    await finishDelivery(db, delivery, { state: 'delivered', status, durationMs });
    events.webhookDelivered({ clientId, kind, attempts });
    return;
  }
  if (stopping.aborted) await postponeDelivery(db, delivery, { failure: undefined, seconds: 0 });
  // The owner waits for the response to a test: it is not repeated, and says nothing about the endpoint.
  else if (delivery.isTest) await finishDelivery(db, delivery, { state: 'failed', status, durationMs });
  else await retryOrGiveUp(options, delivery, { ...response, durationMs });
}

interface Response {
  /** Null if there was none. */
  readonly status: number | null;
  readonly retryAfter?: string | undefined;
}

async function retryOrGiveUp(
  { db, events }: WebhookJobsOptions,
  delivery: ClaimedDelivery,
  { status, durationMs, retryAfter }: Response & { readonly durationMs: number },
): Promise<void> {
  const { clientId, attempts, kind, queuedAt, endpointId } = delivery;
  const seconds = Math.max(delayAfter(attempts), status === 429 || status === 503 ? toSeconds(retryAfter) : 0);
  await postponeDelivery(db, delivery, { failure: { status, durationMs }, seconds });
  const problem = { clientId, kind, attempts, error: status === null ? 'unreachable' : String(status) };
  const isGone = status === 410;
  if (isGone || Date.now() - queuedAt.getTime() > maxAgeMs) {
    await finishDelivery(db, delivery, { state: 'failed', status, durationMs });
    events.webhookGivenUp(problem);
  } else events.webhookDelayed(problem);
  const isOff = await turnFailingEndpointOff(db, endpointId, { isGone, afterSeconds: offAfterSeconds });
  if (isOff) events.webhookSwitchedOff({ clientId });
}

/** Of a header `Retry-After`, at most a day. */
function toSeconds(retryAfter = ''): number {
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? 0 : Math.min(seconds, day);
}

/** Seconds until the next attempt. */
function delayAfter(attempts: number): number {
  const seconds = retryDelays[Math.min(attempts, retryDelays.length) - 1] ?? minute;
  return (seconds * (100 + randomInt(-jitterPercent, jitterPercent + 1))) / 100;
}

/** What is posted, and its headers. Undefined: its key was removed from SECRET_KEYS, and the owner must change the secret. */
async function toRequest({ baseUrl, secretKeys, keyRing }: WebhookJobsOptions, delivery: ClaimedDelivery) {
  const secrets = openSecrets(delivery.secretJwes, secretKeys);
  const { signal, api } = delivery;
  if (secrets.length === 0) return undefined;
  if (signal !== null && api !== null) {
    const body = await signSecurityEvent(keyRing(), { ...delivery, issuer: baseUrl, signal, api });
    return { headers: toPushHeaders(secrets[0] ?? ''), body };
  }
  const body = JSON.stringify(toMessage(delivery));
  return { headers: signMessage({ id: delivery.messageId, sentAt: new Date(), body }, secrets), body };
}

async function send(options: WebhookJobsOptions, delivery: ClaimedDelivery, stopping: AbortSignal): Promise<Response> {
  const { baseUrl, allow } = options;
  const request = await toRequest(options, delivery);
  if (request === undefined) return { status: null };
  try {
    return await postToAddress({
      ...{ address: delivery.url, ...request, userAgent: `Linnet (+${baseUrl})`, limits },
      rules: { allow, ports: webhookPorts },
      signal: stopping,
    });
  } catch (error) {
    if (!(error instanceof FetchFailed)) throw error;
    return { status: null };
  }
}
