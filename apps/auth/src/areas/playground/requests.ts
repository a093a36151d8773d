/** The requests that the playground sends for an application, as its developer would write them. */
import { hash } from 'node:crypto';

import { pagePaths } from '../../pages/views/page-paths.ts';
import type { Call } from './calls.ts';
import { typedValues } from './calls.ts';
import type { PlaygroundRequest, RunContent, Value, Variable } from './run.ts';

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

export interface Client {
  readonly baseUrl: string;
  readonly clientId: string;
}

const variable = (name: Variable): Value => ({ variable: name });

/** Returns undefined once the authorization response has arrived. */
export function authorizationRequest(
  { baseUrl, clientId }: Client,
  { state, scope, verifier }: Pick<RunContent, 'state' | 'scope' | 'verifier'>,
): PlaygroundRequest | undefined {
  if (state === undefined) return undefined;
  return {
    method: 'GET',
    path: '/oauth/authorize',
    query: [
      ['response_type', 'code'],
      ['client_id', clientId],
      ['redirect_uri', `${baseUrl}${pagePaths.playgroundCallback}`],
      ['scope', scope],
      ['state', state],
      ['code_challenge', hash('sha256', verifier, 'base64url')],
      ['code_challenge_method', 'S256'],
    ],
    proof: null,
  };
}

type Authenticated = Pick<RunContent, 'authentication'>;

/** A form for an OAuth endpoint, with client authentication. */
function oauthRequest(
  clientId: string,
  { authentication }: Authenticated,
  [path, form]: readonly [path: string, form: [string, Value][]],
): PlaygroundRequest {
  const request = { method: 'POST', path, query: [] } as const;
  switch (authentication) {
    case 'secret':
      return { ...request, query: [], proof: { basic: clientId }, form };
    case 'none':
      return { ...request, query: [], proof: null, form: [...form, ['client_id', clientId]] };
    case 'keys': {
      const assertion: [string, Value][] = [
        ['client_assertion_type', assertionType],
        ['client_assertion', variable('CLIENT_ASSERTION')],
      ];
      return { ...request, query: [], proof: null, form: [...form, ...assertion] };
    }
  }
}

export function tokenRequest({ baseUrl, clientId }: Client, run: RunContent): PlaygroundRequest {
  const form: [string, Value][] =
    run.flow === 'application'
      ? [
          ['grant_type', 'client_credentials'],
          ['scope', run.scope],
        ]
      : [
          ['grant_type', 'authorization_code'],
          ['code', variable('CODE')],
          ['redirect_uri', `${baseUrl}${pagePaths.playgroundCallback}`],
          ['code_verifier', variable('CODE_VERIFIER')],
        ];
  return oauthRequest(clientId, run, ['/oauth/token', form]);
}

export function refreshRequest({ clientId }: Client, run: Authenticated): PlaygroundRequest {
  const form: [string, Value][] = [
    ['grant_type', 'refresh_token'],
    ['refresh_token', variable('REFRESH_TOKEN')],
  ];
  return oauthRequest(clientId, run, ['/oauth/token', form]);
}

export function revokeRequest({ clientId }: Client, run: Authenticated): PlaygroundRequest {
  return oauthRequest(clientId, run, ['/oauth/revoke', [['token', variable('ACCESS_TOKEN')]]]);
}

/** `submissionId` becomes the idempotency key: a form that is submitted twice writes once. */
export function callRequest(
  call: Call,
  typed: Readonly<Record<string, string>>,
  submissionId: string,
): PlaygroundRequest {
  const values = { ...call.fixed, ...typedValues(call, typed) };
  const request = { method: call.method, path: `/api/v2.0${call.route.path}`, proof: 'bearer' } as const;
  if (call.method === 'GET') {
    return { ...request, query: Object.entries(values).map(([name, value]) => [name, String(value)]) };
  }
  return { ...request, query: [], json: values, ...(call.route.writes ? { idempotencyKey: submissionId } : {}) };
}

/** Path and query. */
export function targetOf({ path, query }: Pick<PlaygroundRequest, 'path' | 'query'>): string {
  return query.length === 0 ? path : `${path}?${new URLSearchParams(query).toString()}`;
}

type Header = readonly [name: string, value: string];

const types = { json: 'application/json', form: 'application/x-www-form-urlencoded' };

function header(name: string, value: string | undefined): readonly Header[] {
  return value === undefined ? [] : [[name, value]];
}

/** All headers but `Authorization`. */
export function headersOf({ json, form, idempotencyKey }: PlaygroundRequest): readonly Header[] {
  return [
    ...header('Accept', types.json),
    ...header('Content-Type', json === undefined ? undefined : types.json),
    ...header('Content-Type', form === undefined ? undefined : types.form),
    ...header('Idempotency-Key', idempotencyKey),
  ];
}
