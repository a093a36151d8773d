import type { VNode } from 'preact';

import { findCall } from '@linnet/auth/areas/playground/calls';
import type { Call } from '@linnet/auth/areas/playground/calls';
import { PlaygroundPage } from '@linnet/auth/areas/playground/playground-page.tsx';
import type { PlaygroundPageProps } from '@linnet/auth/areas/playground/playground-page.tsx';
import { callRequest, refreshRequest, revokeRequest, tokenRequest } from '@linnet/auth/areas/playground/requests';
import type { Exchange, RunContent } from '@linnet/auth/areas/playground/run';
import { printableLines } from '@linnet/auth/areas/playground/format-request';
import { ada, frameIn } from './sample-frame.ts';
import type { SampleLanguage } from './sample-frame.ts';

const at = Date.parse('2026-11-20T15:04:00Z');
const clientId = 'app_8Jr2tqkVZ0mXwL5yNcD3bQ';
const client = { baseUrl: 'http://localhost:3000', clientId };
const waiting: RunContent = {
  flow: 'person',
  scope: 'users posts',
  authentication: 'secret',
  state: 'state',
  verifier: 'verifier',
  marks: [],
  exchanges: [],
};
const tokens = {
  access: `e30.${Buffer.from('{"scope":"users posts"}').toString('base64url')}.signature`,
  refresh: 'refresh',
  id: 'no token',
  scope: 'users posts',
};

function getCall(id: string): Call {
  const call = findCall(id);
  if (call === undefined) throw new TypeError(`the contract has no ${id}`);
  return call;
}

export function samplePlaygroundPages(language: SampleLanguage, name: string): Readonly<Record<string, VNode>> {
  const application = {
    clientId,
    name,
    type: 'confidential',
    redirectUris: [name],
    scopes: ['users', 'posts'],
  } as const;
  const begin = { flow: 'person', scopes: ['users'], secretSource: 'make', person: '' };
  const testPeople = [{ id: 1, username: name }];
  const frame = frameIn(language, ada);
  const common = {
    frame,
    baseUrl: client.baseUrl,
    application,
    authentication: 'secret',
    begin,
    testPeople,
    hidden: {},
  } as const;
  return { ...beginPages(common), ...runPages(common, name) };
}

function beginPages(common: PlaygroundPageProps): Readonly<Record<string, VNode>> {
  const { errors } = common.frame.messages.developer.playground;
  return {
    'playground, to begin': PlaygroundPage(common),
    'playground, refused': PlaygroundPage({
      ...common,
      problem: errors.paused,
      errors: {
        flow: errors.flow,
        scope: errors.scopes,
        secret_source: errors.enoughSecrets,
        client_secret: errors.secretWrong,
      },
    }),
    'playground of a public application': PlaygroundPage({
      ...common,
      application: { ...common.application, type: 'public' },
      authentication: 'none',
    }),
  };
}

function runPages(common: PlaygroundPageProps, name: string): Readonly<Record<string, VNode>> {
  const { errors } = common.frame.messages.developer.playground;
  const { state: _state, ...back } = waiting;
  const page = (content: RunContent, more: Partial<PlaygroundPageProps> = {}) =>
    PlaygroundPage({ ...common, run: { endsAt: new Date(at), content }, selected: content.exchanges[0], ...more });
  const exchanges = sampleExchanges(name, back);
  const update = { call: getCall('account-update'), typed: { country: name } };
  const post = {
    call: getCall('post-create'),
    typed: { message: name },
    errors: { p_message: errors.parametersTooLong },
  };
  const asserted = { refresh_assertion: errors.assertionMissing, revoke_assertion: errors.assertionMissing };
  // Each exchange in full.
  const each = exchanges.map((selected) => [
    `playground, exchange ${String(selected.number)}`,
    page({ ...back, exchanges }, { selected }),
  ]);
  return {
    'playground, waiting': page(waiting),
    'playground, stopped': page({ ...back, exchanges: exchanges.slice(0, 1) }),
    'playground, to ask with an assertion': page(
      { ...back, authentication: 'keys', code: 'code' },
      { authentication: 'keys', errors: { client_assertion: errors.assertionMissing } },
    ),
    'playground, to ask in its own name': page({ ...back, flow: 'application' }),
    'playground with tokens': page({ ...back, tokens, exchanges }, { call: update }),
    'playground with keys': page(
      { ...back, tokens, authentication: 'keys', exchanges: exchanges.slice(1) },
      { authentication: 'keys', errors: asserted, call: post },
    ),
    ...Object.fromEntries(each),
  };
}

function sampleExchanges(text: string, content: RunContent): RunContent['exchanges'] {
  const answer = {
    status: 200,
    headers: [['link', text]] satisfies [string, string][],
    isCut: true,
    body: printableLines(text),
  };
  const made: readonly Made[] = [
    ...sampleAuthorizations(text),
    { kind: 'token', request: tokenRequest(client, content), answer: { ...answer, status: 401 } },
    { kind: 'token', request: tokenRequest(client, content), answer: { failure: 'unreachable' } },
    { kind: 'refresh', request: refreshRequest(client, content), answer: { failure: 'timed-out' } },
    { kind: 'revoke', request: revokeRequest(client, content), answer: { failure: 'redirected' } },
    ...[200, 403, 429].map((status) => sampleCall(text, { ...answer, status })),
  ];
  return made.map((one, index) => ({ ...one, number: index + 1, at }));
}

type Made = Omit<Exchange, 'number' | 'at'>;

function sampleAuthorizations(text: string): readonly Made[] {
  const request: Made['request'] = { method: 'GET', path: '/oauth/authorize', query: [['state', text]], proof: null };
  const denied: Made['answer'] = {
    callback: [
      ['error', 'access_denied'],
      ['error_description', text],
      ['code', { variable: 'CODE' }],
    ],
  };
  return [
    { kind: 'authorize', request, answer: denied },
    { kind: 'authorize', request, answer: { callback: [['error', text]] } },
  ];
}

function sampleCall(text: string, answer: Made['answer']): Made {
  const call = getCall('account-update');
  const typed = { country: text, language: text };
  return { kind: 'call', request: callRequest(call, typed, 'mark'), answer, call: { id: call.route.id, typed } };
}
