/** Pushes new notifications to browsers. */
import { setTimeout as delay } from 'node:timers/promises';

import type { Db } from '@linnet/db/database';
import type { Notification } from '@linnet/contract/notifications';
import { FetchFailed } from '@linnet/media/fetch/fetch-target';
import { postToAddress } from '@linnet/media/fetch/public-post';
import type { Job } from '@linnet/service/jobs/job';
import { toPage } from '@linnet/social/list/page';
import { findNotifications } from '@linnet/social/notification/notification-list-store';
import { toNotification } from '@linnet/social/notification/notification-view';
import type { ViewContext } from '@linnet/social/view-context';

import {
  claimTargets,
  endSubscription,
  isPushDue,
  noteFailure,
  noteSuccess,
  sweepSubscriptions,
  takeNews,
} from './push-store.ts';
import type { ClaimedTarget, News } from './push-store.ts';
import { encryptPush, toPushContent, toTopic } from './push-message.ts';
import type { PushKey, PushSettings } from './push-message.ts';

interface PushOptions extends PushSettings {
  readonly db: Db;
  readonly context: ViewContext;
}

const everyMs = 500;
const sweepEveryMs = 600_000;
const peopleAtOnce = 32;
/** The latest items among which new ones are looked for, and how many of them are pushed at once. */
const lookedAt = 20;
const pushedAtOnce = 3;
/** A push service keeps a message for this time. */
const ttlSeconds = 86_400;
const pauseSeconds = 60;
const longestPauseSeconds = 86_400;
const limits = { maxBytes: 0, connectMs: 3000, headersMs: 5000, totalMs: 8000 } as const;
const ports = [443] as const;

export function createPushJobs(options: PushOptions): readonly Job[] {
  const { db } = options;
  return [
    { name: 'push', everyMs, due: isPushDue, run: async (stopping) => await pushAll(options, stopping) },
    { name: 'old-push', everyMs: sweepEveryMs, run: async (stopping) => await sweepSubscriptions(db, stopping) },
  ];
}

/** Slow push services do not delay what happens afterwards to others, unless there are as many as `peopleAtOnce`. */
async function pushAll(options: PushOptions, stopping: AbortSignal): Promise<void> {
  const pushing = new Set<Promise<unknown>>();
  const problems: unknown[] = [];
  const start = async (person: ForPerson) => {
    if (pushing.size >= peopleAtOnce) await Promise.race(pushing);
    if (stopping.aborted) return;
    const pushed: Promise<unknown> = pushToPerson(options, person)
      .catch((error: unknown) => problems.push(error))
      .finally(() => pushing.delete(pushed));
    pushing.add(pushed);
  };
  try {
    for (let hasMore = true; (hasMore || pushing.size > 0) && !stopping.aborted;) {
      const taken = await takeNews(options.db);
      ({ hasMore } = taken);
      const people = Map.groupBy(taken.news, ({ accountId }) => accountId);
      for (const [accountId, news] of people) await start({ accountId, news, stopping });
      if (!hasMore) await Promise.race([Promise.all(pushing), delay(everyMs, undefined, { ref: false })]);
    }
  } finally {
    await Promise.all(pushing);
  }
  if (problems.length > 0) throw problems[0];
}

interface ForPerson {
  readonly accountId: number;
  readonly news: readonly News[];
  readonly stopping: AbortSignal;
}

/** What the list shows as unread is pushed, so that whatever hides a notification there hides it here. */
async function pushToPerson({ db, context, ...options }: PushOptions, { accountId, news, stopping }: ForPerson) {
  const kinds = [...new Set(news.map(({ type }) => type))];
  const found = await findNotifications(db, { accountId, kinds }, toPage({ count: lookedAt, page: 1 }));
  const items = (found?.items ?? [])
    .map((row) => toNotification(row, context))
    .filter((item) => item.unread > 0 && news.some((one) => isLatest(item, one)));
  if (items.length === 0) return;
  const targets = await claimTargets(
    db,
    accountId,
    items.map(({ type }) => type),
  );
  const sendAll = async (target: ClaimedTarget) => {
    const wanted = items.filter(({ type }) => target.types.includes(type)).slice(0, pushedAtOnce);
    for (const item of wanted.toReversed()) {
      if (!(await push({ db, context, ...options }, { target, item, stopping }))) return;
    }
  };
  await Promise.all(targets.map(sendAll));
}

/** Whether it is the latest of the item: one that came later, or is hidden, must not push again what was pushed. */
function isLatest({ type, users: [user], post, comment, draft }: Notification, one: News): boolean {
  const about = [user, post, comment, draft].map((object) => object?.id ?? null);
  return one.type === type && one.about.every((id, index) => id === about[index]);
}

interface OneMessage {
  readonly target: ClaimedTarget;
  readonly item: Notification;
  readonly stopping: AbortSignal;
}

/** Returns whether more can be sent to it. */
async function push(options: PushOptions, { target, item, stopping }: OneMessage): Promise<boolean> {
  const { db, context, keys, allow } = options;
  const key = keys.find(({ publicKey }) => publicKey === target.serverKey);
  const { status, retryAfter } = key === undefined ? { status: 410 } : await send(key);
  const isAccepted = status !== undefined && status >= 200 && status < 300;
  if (isAccepted) await noteSuccess(db, target.id);
  // Gone, or for the key of another service: the browser subscribes again when the person opens it.
  else if (status !== undefined && [403, 404, 410].includes(status)) await endSubscription(db, target.id);
  else if (!stopping.aborted) await noteFailure(db, target.id, toPause(retryAfter));
  return isAccepted;

  async function send(ours: PushKey): Promise<{ readonly status?: number; readonly retryAfter?: string | undefined }> {
    try {
      return await postToAddress({
        ...{ address: target.endpoint, limits, signal: stopping, userAgent: `Linnet (+${context.baseUrl})` },
        rules: { allow, ports },
        body: encryptPush(Buffer.from(toPushContent(item)), target),
        headers: {
          'content-type': 'application/octet-stream',
          'content-encoding': 'aes128gcm',
          authorization: await ours.authorize(target.endpoint),
          ttl: String(ttlSeconds),
          urgency: ['like', 'repost'].includes(item.type) ? 'low' : 'normal',
          topic: toTopic(item),
        },
      });
    } catch (error) {
      if (!(error instanceof FetchFailed)) throw error;
      return {};
    }
  }
}

/** Seconds, as the header `Retry-After` says; a date counts as none. */
function toPause(retryAfter = ''): number {
  return /^\d+$/.test(retryAfter)
    ? Math.min(Math.max(Number(retryAfter), pauseSeconds), longestPauseSeconds)
    : pauseSeconds;
}
