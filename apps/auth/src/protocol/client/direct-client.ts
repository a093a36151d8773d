/** What the direct paths of the endpoints for applications share: authentication with a secret, limits, the response. */

import type { IncomingMessage } from 'node:http';
import { parse } from 'node:querystring';

import { findSecret, isActiveSecret } from '@linnet/applications/secrets/client-secret';
import type { StoredSecret } from '@linnet/applications/secrets/client-secret';
import type { DirectAnswer } from '@linnet/service/http/direct-path';
import { toRateLimitHeaders } from '@linnet/service/limits/rate-limit';
import type { Usage } from '@linnet/service/limits/rate-limit';

import { everyResponseHeaders } from '../../pages/frame/security-headers.ts';
import { exposedLimitHeaders } from '../limits/limit-requests.ts';
import type { RequestLimits } from '../limits/request-limits.ts';
import type { ClientCache } from './client-cache.ts';
import type { Registration } from './client-store.ts';
import type { SecretComparison } from './client.ts';

/**
 * For the direct path: reads requests of applications that authenticate with their secret and have nothing unusual;
 * everything else is left to the provider.
 */
export interface OrdinaryRequest {
  readonly clientId: string;
  /** As presented. */
  readonly secret: string;
  /** The whole form. */
  readonly form: Form;
}

type Form = ReadonlyMap<string, string>;

type Headers = Pick<IncomingMessage, 'headers' | 'headersDistinct'>;

/** Undefined for what is not ordinary. `parameters` are the names that the form may have beside the credentials. */
export function readOrdinaryRequest(
  request: Headers,
  body: string,
  parameters: ReadonlySet<string>,
): OrdinaryRequest | undefined {
  if (!hasOrdinaryHeaders(request)) return undefined;
  const form = readForm(body, parameters);
  if (form === undefined) return undefined;
  const credentials = request.headers.authorization === undefined ? ofForm(form) : ofHeader(request, form);
  return credentials === undefined ? undefined : { ...credentials, form };
}

/** Requests of browsers, DPoP (RFC 9449) and client attestation need more. */
const unusualHeaders = ['origin', 'dpop', 'oauth-client-attestation', 'oauth-client-attestation-pop'];
const formType = /^application\/x-www-form-urlencoded(?:; ?charset=utf-8)?$/i;

function hasOrdinaryHeaders({ headers, headersDistinct }: Headers): boolean {
  const types = headersDistinct['content-type'] ?? [];
  const [type = ''] = types;
  return types.length === 1 && formType.test(type) && unusualHeaders.every((name) => headers[name] === undefined);
}

const credentialNames: ReadonlySet<string> = new Set(['client_id', 'client_secret']);

/** Undefined for other parameters, and for repeated or empty ones. */
function readForm(body: string, parameters: ReadonlySet<string>): Form | undefined {
  const form = new Map<string, string>();
  for (const [name, value] of Object.entries(parse(body))) {
    const isKnown = parameters.has(name) || credentialNames.has(name);
    if (typeof value !== 'string' || value === '' || !isKnown) return undefined;
    form.set(name, value);
  }
  return form;
}

type Credentials = Pick<OrdinaryRequest, 'clientId' | 'secret'>;

function ofForm(form: Form): Credentials | undefined {
  const clientId = form.get('client_id');
  const secret = form.get('client_secret');
  return clientId === undefined || secret === undefined ? undefined : { clientId, secret };
}

/** With a length that is a multiple of 4, which the provider accepts with and without padding. */
const basic = /^Basic ((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==))$/;
/** Ids and secrets of this service consist of characters that need no decoding. */
const plainPair = /^([\w-]+):([\w-]+)$/;

/** One method, and one client. */
function ofHeader(request: Headers, form: Form): Credentials | undefined {
  const credentials = readBasic(request);
  const named = form.get('client_id') ?? credentials?.clientId;
  return form.has('client_secret') || named !== credentials?.clientId ? undefined : credentials;
}

function readBasic({ headersDistinct }: Headers): Credentials | undefined {
  const [header = '', ...others] = headersDistinct['authorization'] ?? [];
  const encoded = basic.exec(header)?.[1] ?? '';
  const [, clientId, secret] = plainPair.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  return clientId === undefined || secret === undefined || others.length > 0 ? undefined : { clientId, secret };
}

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
