/** Web Push in this browser: a person switches it on; it is renewed when they open the client, and ends with their sign-out. */
import type { Linnet, Notification } from '@linnet/sdk';

import type { Texts } from '../i18n/en.ts';
import type { SignedIn } from './person.ts';

/** Who switched it on. */
const ownerKey = 'linnet-client-push';
/** Where the worker finds the texts of the person's language. */
const textsCache = 'linnet-push';
const textsPath = '/home/push-texts';

interface PushContext {
  readonly linnet: Linnet;
  readonly person: SignedIn;
  readonly texts: Texts;
}

/** On iPhones only an installed web app can. */
export function canPush(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
}

export function isPushOn({ id }: SignedIn): boolean {
  return canPush() && Notification.permission === 'granted' && localStorage.getItem(ownerKey) === String(id);
}

/** The push service of the browser does not respond. */
export class PushUnavailable extends Error {}

const patienceMs = 15_000;

/** One change at a time: a renewal must not outlast that it was switched off. */
let last: Promise<unknown> = Promise.resolve();
async function inTurn<Result>(change: () => Promise<Result>): Promise<Result> {
  const changed = last.then(change);
  last = changed.catch(() => undefined);
  return await changed;
}

/** Asks the person for the permission. Returns whether they gave it. @throws PushUnavailable, or the error of the API */
export async function switchPushOn(context: PushContext): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false;
  await inTurn(async () => {
    await subscribe(context);
    localStorage.setItem(ownerKey, String(context.person.id));
  });
  return true;
}

/** @throws the error of the API */
export async function switchPushOff({ linnet }: Pick<PushContext, 'linnet'>): Promise<void> {
  const endpoint = await endPush();
  if (endpoint !== undefined) await linnet.notifications.pushDelete({ endpoint });
}

/** Ends it in this browser alone; the service learns of it when it next sends something. Returns its address. */
export async function endPush(): Promise<string | undefined> {
  return await inTurn(unsubscribe);
}

async function unsubscribe(): Promise<string | undefined> {
  if (!canPush() || localStorage.getItem(ownerKey) === null) return undefined;
  localStorage.removeItem(ownerKey);
  const subscription = await (await navigator.serviceWorker.ready).pushManager.getSubscription();
  await subscription?.unsubscribe();
  return subscription?.endpoint;
}

/** Renews it, with the texts of the current language. Of somebody else who used this browser, it ends. */
export async function renewPush(context: PushContext): Promise<void> {
  await inTurn(async () => (isPushOn(context.person) ? await subscribe(context) : await unsubscribe()));
}

async function subscribe({ linnet, texts }: PushContext): Promise<void> {
  const { key } = await linnet.notifications.push();
  const { pushManager } = await navigator.serviceWorker.ready;
  const wanted = { userVisibleOnly: true, applicationServerKey: key };
  // With the key of another time, the browser refuses to subscribe.
  const subscribing = pushManager.subscribe(wanted).catch(async () => {
    await (await pushManager.getSubscription())?.unsubscribe();
    return await pushManager.subscribe(wanted);
  });
  const subscription = await Promise.race([subscribing, giveUp()]).catch(() => undefined);
  if (subscription === undefined) throw new PushUnavailable();
  await keepTexts(texts);
  const { endpoint = '', keys } = subscription.toJSON();
  await linnet.notifications.pushAdd({ endpoint, p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '' });
}

/** Without its push service, a browser may wait for ever. */
async function giveUp(): Promise<undefined> {
  return await new Promise((resolve) => {
    setTimeout(resolve, patienceMs);
  });
}

const types = [
  ...(['mention', 'reply', 'quote', 'like', 'repost', 'follow'] as const),
  ...(['follow_request', 'approved', 'proposal', 'draft_failed'] as const),
] satisfies readonly Notification['type'][];

async function keepTexts({ notifications }: Texts): Promise<void> {
  const of = Object.fromEntries(types.map((type) => [type, notifications[type]('%who%')]));
  const others = notifications.others('%who%', '%count%');
  // Of nobody else: what the person scheduled.
  const content = JSON.stringify({ ...of, others, own: notifications.draft_failed('') });
  await (await caches.open(textsCache)).put(textsPath, new Response(content));
}
