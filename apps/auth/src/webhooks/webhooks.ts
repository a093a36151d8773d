/** Endpoints of applications: registering them with a challenge, and their secrets. */
import { randomBytes, randomUUID } from 'node:crypto';

import type { Db } from '@linnet/db/database';
import { isSealedWithFirst, open, seal } from '@linnet/keys/sealing';
import { FetchFailed, publicFailure } from '@linnet/media/fetch/fetch-target';
import { postToAddress } from '@linnet/media/fetch/public-post';
import type { Secret } from '@linnet/service/config/secret';

import { insertTest } from './delivery-store.ts';
import {
  countRequest,
  findSealedEndpoints,
  insertEndpoint,
  resealEndpoint,
  setEndpointSecret,
  turnEndpointOn,
} from './endpoint-store.ts';
import type { WebhookEvent } from './events.ts';
import { generateSecret, signMessage } from './signature.ts';

export interface WebhooksOptions {
  readonly db: Db;
  readonly baseUrl: string;
  /** Encrypt the secrets. */
  readonly secretKeys: readonly Secret[];
  /** Each is a `host:port` that may be contacted although it is not public (MEDIA_FETCH_ALLOW). */
  readonly allow: readonly string[];
}

/** Endpoints of an application. */
export const maxEndpoints = 5;
/** After a change, the secret before it signs too for this time. */
const overlapSeconds = 86_400;
const maxUrlLength = 2048;
/** What secrets are sealed for. */
export const purpose = 'webhook secret';
export const challengeLimits = { maxBytes: 256, connectMs: 3000, headersMs: 5000, totalMs: 8000 } as const;

/** Requests that an owner can make the service send to any address, for each application. */
export const challengesPerHour = 20;
export const testsPerHour = 100;

/** Why an address did not agree. */
type Refusal = ReturnType<typeof publicFailure> | 'wrong-status' | 'wrong-challenge' | 'too-often';
export type EndpointProblem = 'bad-url' | 'no-events' | 'too-many-or-known' | Refusal;

interface NewEndpoint {
  readonly clientId: string;
  readonly url: string;
  readonly events: readonly WebhookEvent[];
}

/** The database to write with: that of the owner's session, so that nothing outlives it. */
type Writing = Pick<Db, 'query' | 'transaction'>;

interface TurnedOn {
  readonly id: number;
  readonly clientId: string;
  readonly url: string;
}

interface Test {
  readonly kind: WebhookEvent;
  /** Of the application; the message is about this account. */
  readonly ownerId: number;
}

export interface Webhooks {
  /** Asks the address for its consent and stores it. The secret is shown only now. */
  register(
    endpoint: NewEndpoint,
    within?: Writing,
  ): Promise<{ readonly id: number; readonly secret: string } | EndpointProblem>;
  /** Returns the new secret. The one before it signs too for a day. */
  changeSecret(id: number, within?: Writing): Promise<string>;
  /** Asks the address for its consent and turns an endpoint on that was switched off. */
  turnOn(endpoint: TurnedOn): Promise<true | Refusal>;
  /** Sends a message that says that it is a test, once, as soon as the others. */
  test(endpoint: Pick<TurnedOn, 'id' | 'clientId'>, test: Test): Promise<true | 'too-often'>;
  /** Encrypts the secrets again that are not encrypted with the first of SECRET_KEYS. */
  reseal(): Promise<void>;
}

export function createWebhooks(options: WebhooksOptions): Webhooks {
  const { db, secretKeys } = options;
  return {
    register: async (endpoint, within = db) => {
      const { clientId, url, events } = endpoint;
      if (!isWebhookUrl(url)) return 'bad-url';
      if (events.length === 0) return 'no-events';
      const refusal = await ask(options, endpoint);
      if (refusal !== undefined) return refusal;
      const secret = generateSecret(randomBytes);
      const secretJwe = seal(secret, purpose, secretKeys);
      const id = await within.transaction(
        async (tx) => await insertEndpoint(tx, { clientId, url, events, secretJwe, max: maxEndpoints }),
      );
      return id === undefined ? 'too-many-or-known' : { id, secret };
    },
    changeSecret: async (id, within = db) => {
      const secret = generateSecret(randomBytes);
      await setEndpointSecret(within, { id, secretJwe: seal(secret, purpose, secretKeys), overlapSeconds });
      return secret;
    },
    turnOn: async (endpoint) => {
      const refusal = await ask(options, endpoint);
      if (refusal !== undefined) return refusal;
      await turnEndpointOn(db, endpoint.id);
      return true;
    },
    test: async ({ id, clientId }, test) => {
      if ((await countRequest(db, 'test', clientId)) > testsPerHour) return 'too-often';
      await insertTest(db, { endpointId: id, ...test });
      return true;
    },
    reseal: async () => {
      let page = await findSealedEndpoints(db, 0);
      while (page.length > 0) {
        for (const { id, secretJwe, previousSecretJwe } of page) {
          const secret = sealAgain(secretJwe, secretKeys);
          const previous = previousSecretJwe === null ? null : sealAgain(previousSecretJwe, secretKeys);
          await resealEndpoint(db, secretJwe, { id, secretJwe: secret, previousSecretJwe: previous });
        }
        page = await findSealedEndpoints(db, page.at(-1)?.id ?? 0);
      }
    },
  };
}

/** The secrets that can be decrypted, the newest first. */
export function openSecrets(jwes: readonly string[], secretKeys: readonly Secret[]): readonly string[] {
  return jwes.map((jwe) => open(jwe, purpose, secretKeys)).filter((secret) => secret !== undefined);
}

/** One that none of the keys can decrypt stays as it is. */
function sealAgain(jwe: string, secretKeys: readonly Secret[]): string {
  if (isSealedWithFirst(jwe, secretKeys)) return jwe;
  const secret = open(jwe, purpose, secretKeys);
  return secret === undefined ? jwe : seal(secret, purpose, secretKeys);
}

/** A URL that messages can be sent to. */
export function isWebhookUrl(text: string): boolean {
  if (text.length > maxUrlLength || !URL.canParse(text)) return false;
  const { protocol, username, password, hash } = new URL(text);
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '' && hash === '';
}

/**
 * Sends a random text, which the address must respond with: nobody can register an address that they do not control, such as one of
 * somebody else, to have requests sent there. The request is signed with a secret that nobody knows yet.
 */
async function ask(
  { db, baseUrl, allow }: WebhooksOptions,
  { clientId, url }: Pick<TurnedOn, 'clientId' | 'url'>,
): Promise<Refusal | undefined> {
  if ((await countRequest(db, 'challenge', clientId)) > challengesPerHour) return 'too-often';
  const challenge = randomBytes(24).toString('base64url');
  const body = JSON.stringify({ type: 'webhook.challenge', timestamp: new Date().toISOString(), data: { challenge } });
  const id = `msg_${randomUUID().replaceAll('-', '')}`;
  const headers = signMessage({ id, sentAt: new Date(), body }, [generateSecret(randomBytes)]);
  try {
    const { status, text } = await postToAddress({
      ...{ address: url, headers, body, userAgent: `Linnet (+${baseUrl})`, limits: challengeLimits },
      rules: { allow, ports: webhookPorts },
    });
    if (status !== 200) return 'wrong-status';
    return text.trim() === challenge ? undefined : 'wrong-challenge';
  } catch (error) {
    if (!(error instanceof FetchFailed)) throw error;
    return publicFailure(error);
  }
}

/** The ports that may be connected to. */
export const webhookPorts = [80, 443] as const;
