/** The command `linnet-sdk listen`: forwards what happens to a server on this machine, as webhooks. */
import { authorizationHeaders, generateKey } from './dpop.ts';
import { AuthorizationError, ConnectionError } from './errors.ts';
import { pause, waitAfter } from './events.ts';
import { createOAuthRequests } from './oauth.ts';
import type { ClientOptions } from './oauth.ts';
import { mapConnectionErrors, retryAfterOf, send } from './server.ts';
import { applicationTokens } from './tokens.ts';
import type { TokenSource } from './tokens.ts';
import { importKey } from './webhook.ts';

interface ListenOptions extends ClientOptions {
  /** Where messages are sent to. */
  readonly forward: string;
  /** Signs them: `whsec_…` */
  readonly secret: string;
  /** Names of events, separated by commas; all if it is empty. */
  readonly events: string;
  /** Whether to show what is sent. */
  readonly print: boolean;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Shows a line. */
  readonly say: (line: string) => void;
}

interface Message {
  readonly id: string;
  readonly type: string;
  /** The text to send. */
  readonly body: string;
}

interface Page {
  readonly messages: readonly Message[];
  /** To continue from. */
  readonly cursor: string;
  readonly incomplete: boolean;
}

/** Longer than the service waits for an event. */
const pollLimitMs = 40_000;
/** As long as the service waits for a response to a webhook. */
const forwardLimitMs = 15_000;

/**
 * Forwards messages until it is stopped. Connects again after interruptions.
 * @throws LinnetError what does not pass, and at the start also what does
 */
export async function listen(options: ListenOptions): Promise<void> {
  const { forward, secret, signal, say } = options;
  const key = generateKey();
  const boundKey = async () => await key;
  const requests = createOAuthRequests({ ...options, tries: 1 });
  const tokens = applicationTokens(async () => await requests.clientCredentials(undefined, boundKey), boundKey);
  const poll = async (after: string) => await ask(options, tokens, after);
  let { cursor } = await poll('');
  say(`Your webhook signing secret is ${secret}`);
  say(`Events are sent to ${forward}. Press Ctrl-C to stop.`);
  for (let failures = 0; !signal.aborted;) {
    try {
      const page = await poll(cursor);
      if (failures > 0) say('Connected again.');
      failures = 0;
      if (page.incomplete) say('Events may be missing here.');
      for (const message of page.messages) await deliver(options, message);
      ({ cursor } = page);
    } catch (error) {
      if (signal.aborted) return;
      failures += 1;
      const waitMs = waitAfter(error, failures);
      if (failures === 1 && error instanceof Error) say(`${error.message}. Trying again.`);
      await pause(waitMs, signal);
    }
  }
}

async function ask(options: ListenOptions, tokens: TokenSource, cursor: string): Promise<Page> {
  const { signal } = options;
  const token = await tokens.get({ signal });
  try {
    return await request(options, tokens, { token, cursor });
  } catch (error) {
    // The token was revoked or has expired. Try another one, but only once.
    if (!(error instanceof AuthorizationError) || error.code !== 'invalid_token') throw error;
    return await request(options, tokens, { token: await tokens.get({ refused: token, signal }), cursor });
  }
}

async function request(
  options: ListenOptions,
  { boundKey }: TokenSource,
  { token, cursor }: { readonly token: string; readonly cursor: string },
): Promise<Page> {
  const url = new URL('/developers/webhooks/events', options.issuer);
  url.searchParams.set('cursor', cursor);
  url.searchParams.set('events', options.events);
  const headers = {
    accept: 'application/json',
    ...(await authorizationHeaders(boundKey, { method: 'GET', url, token })),
  };
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(pollLimitMs)]);
  const response = await send(options, url, { headers, signal });
  const text = await mapConnectionErrors(response.text());
  if (response.ok) return JSON.parse(text) as Page; // as listen-route.ts of the service answers
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  const { error = 'server_error', error_description: description = `status ${String(response.status)}` } = (
    isJson ? JSON.parse(text) : {}
  ) as Readonly<Record<string, string>>; // the same
  throw new AuthorizationError(error, description, {
    status: response.status,
    retryAfterSeconds: retryAfterOf(response),
  });
}

/** Sends a message once, and says what became of it. */
async function deliver(
  { forward, secret, issuer, print, signal, say }: ListenOptions,
  message: Message,
): Promise<void> {
  if (signal.aborted) return;
  const headers = { ...(await sign(message, secret)), 'user-agent': `Linnet (+${issuer})` };
  const startedAt = performance.now();
  const limited = AbortSignal.any([signal, AbortSignal.timeout(forwardLimitMs)]);
  const sent = fetch(forward, { method: 'POST', headers, body: message.body, redirect: 'manual', signal: limited });
  const outcome = await mapConnectionErrors(sent).then(
    ({ status }) => String(status),
    (error: unknown) => describe(error),
  );
  const duration = String(Math.round(performance.now() - startedAt));
  say(`${new Date().toLocaleTimeString('en-GB')} ${message.type} ${outcome} ${duration} ms`);
  if (print) say(message.body);
}

function describe(error: unknown): string {
  if (!(error instanceof ConnectionError)) return 'interrupted';
  return error.code === 'timed-out' ? 'no response in 15 s' : 'connection refused';
}

/** The headers with which the service would send a message now. */
async function sign(
  { id, body }: { readonly id: string; readonly body: string },
  secret: string,
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', await importKey(secret), signed));
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${encodeBase64(signature)}`,
  };
}

/** A new secret, as the service makes them. */
export function createWebhookSecret(): string {
  return `whsec_${encodeBase64(crypto.getRandomValues(new Uint8Array(32)))}`;
}

function encodeBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
