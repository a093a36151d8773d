/** What the direct paths of the endpoints for applications share: authentication with a secret, limits, the response. */
import type { IncomingMessage } from 'node:http';

import { findSecret, isActiveSecret } from '@linnet/applications/secrets/client-secret';
import type { StoredSecret } from '@linnet/applications/secrets/client-secret';
import type { DirectAnswer } from '@linnet/service/http/direct-path';
import { toRateLimitHeaders } from '@linnet/service/limits/rate-limit';
import type { Usage } from '@linnet/service/limits/rate-limit';

import { everyResponseHeaders } from '../../pages/http/security-headers.ts';
import { exposedLimitHeaders } from '../limits/limit-requests.ts';
import type { RequestLimits } from '../limits/request-limits.ts';
import type { ClientCache } from './client-cache.ts';
import type { SecretComparison } from './client.ts';
import type { Registration } from './client-store.ts';
import type { OrdinaryRequest } from './ordinary-request.ts';

export interface DirectClientOptions {
  readonly clients: Pick<ClientCache, 'peek'>;
  readonly limits: Pick<RequestLimits, 'countDirect'>;
  readonly secretUsed: SecretComparison['secretUsed'];
}

export interface DirectClient {
  readonly client: Registration;
  /** The one that the client authenticated with. */
  readonly secret: StoredSecret;
}

/** The application of the request, if it is cached and authenticates with an active secret. Counts nothing. */
export function authenticateDirectly(
  { clients }: Pick<DirectClientOptions, 'clients'>,
  asked: OrdinaryRequest,
): DirectClient | undefined {
  const client = clients.peek(asked.clientId);
  if (client === undefined || !usesSecret(client)) return undefined;
  const secret = findSecret(client.secrets, asked.secret);
  return secret === undefined || !isActiveSecret(secret, Date.now()) ? undefined : { client, secret };
}

function usesSecret({ type, jwks, jwksUri }: Registration): boolean {
  return type === 'confidential' && (jwks ?? jwksUri) === null;
}

/**
 * Counts the request and the use of the secret. Call it last, because nothing may be counted if the provider answers.
 * Undefined, and counts nothing, if a limit refuses the request.
 */
export function countDirectly(
  { limits, secretUsed }: Omit<DirectClientOptions, 'clients'>,
  request: IncomingMessage,
  { client, secret }: DirectClient,
): readonly Usage[] | undefined {
  const usages = limits.countDirect(request, client.clientId);
  if (usages !== undefined) secretUsed(secret.id, Date.now());
  return usages;
}

const openToEveryOrigin = [
  ...['Vary', 'Origin'],
  ...['Access-Control-Allow-Origin', '*'],
  ...['Access-Control-Expose-Headers', 'WWW-Authenticate'],
];
const exposedLimits = ['Access-Control-Expose-Headers', exposedLimitHeaders];
const contentType = ['Content-Type', 'application/json; charset=utf-8'];

interface EndpointHeaders {
  /** Names and values in turn, in front of those that open a response to every origin. */
  readonly first?: readonly string[];
  /** Behind them. */
  readonly last?: readonly string[];
}

/** Makes responses of JSON, with headers in the order of the complete path. */
export function createDirectAnswers({
  first = [],
  last = [],
}: EndpointHeaders): (body: object, usages: readonly Usage[]) => DirectAnswer {
  const begin = [...Object.entries(everyResponseHeaders).flat(), ...first, ...openToEveryOrigin];
  const end = [...last, ...contentType];
  const withLimits = [...begin, ...exposedLimits, ...end];
  const withoutLimits = [...begin, ...end];
  return (body, usages) => {
    const text = JSON.stringify(body);
    if (usages.length === 0) return { headers: withoutLimits, body: text };
    return { headers: [...withLimits, ...Object.entries(toRateLimitHeaders(usages)).flat()], body: text };
  };
}
