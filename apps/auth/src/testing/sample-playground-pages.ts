import type { VNode } from 'preact';

import { findCall } from '../playground/calls.ts';
import { PlaygroundPage } from '../playground/playground-page.tsx';
import type { PlaygroundPageProps } from '../playground/playground-page.tsx';
import { callRequest, refreshRequest, revokeRequest, tokenRequest } from '../playground/requests.ts';
import type { Exchange, RunContent } from '../playground/run.ts';
import { inertJson, printableLines } from '../playground/inert-json.ts';
import { ada, frameIn } from './sample-frame.ts';
import type { SampleLanguage } from './sample-frame.ts';

const at = Date.parse('2026-11-20T15:04:00Z');
const clientId = 'app_8Jr2tqkVZ0mXwL5yNcD3bQ';
const asking = { baseUrl: 'http://localhost:3000', clientId };
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

export function samplePlaygroundPages(language: SampleLanguage, name: string): Readonly<Record<string, VNode>> {
  const frame = frameIn(language, ada);
  const { errors } = frame.messages.developer.playground;
  const application = {
    clientId,
    name,
    type: 'confidential',
    redirectUris: [name],
    scopes: ['users', 'posts'],
  } as const;
  const begin = { flow: 'person', scopes: ['users'], secretSource: 'make' };
  const common = { frame, baseUrl: asking.baseUrl, application, authentication: 'secret', begin, hidden: {} } as const;
  const { state: _state, ...back } = waiting;
  const page = (content: RunContent, more: Partial<PlaygroundPageProps> = {}) =>
    PlaygroundPage({ ...common, run: { endsAt: new Date(at), content }, shown: content.exchanges[0], ...more });
  const exchanges = sampleExchanges(name, back);
  const update = findCall('account-update');
  const post = findCall('post-create');
  if (update === undefined || post === undefined) throw new TypeError('the contract has these calls');
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
      application: { ...application, type: 'public' },
      authentication: 'none',
    }),
    'playground, waiting': page(waiting),
    'playground, stopped': page({ ...back, exchanges: exchanges.slice(0, 1) }),
    'playground, to ask with an assertion': page(
      { ...back, authentication: 'keys', code: 'code' },
      { authentication: 'keys', errors: { client_assertion: errors.assertionMissing } },
    ),
    'playground, to ask in its own name': page({ ...back, flow: 'application' }),
    'playground with tokens': page(
      { ...back, tokens, exchanges },
      { call: { call: update, typed: { country: name } } },
    ),
    'playground with keys': page(
      { ...back, tokens, authentication: 'keys', exchanges: exchanges.slice(1) },
      {
        authentication: 'keys',
        errors: { refresh_assertion: errors.assertionMissing, revoke_assertion: errors.assertionMissing },
        call: { call: post, typed: { message: name }, errors: { p_message: errors.parametersTooLong } },
      },
    ),
    ...answerPages(exchanges, (shown) => page({ ...back, exchanges }, { shown })),
  };
}

/** Each of the others in full. */
function answerPages(
  exchanges: readonly Exchange[],
  page: (shown: Exchange) => VNode,
): Readonly<Record<string, VNode>> {
  return Object.fromEntries(exchanges.map((shown) => [`playground, exchange ${String(shown.number)}`, page(shown)]));
}

function sampleExchanges(text: string, content: RunContent): readonly Exchange[] & RunContent['exchanges'] {
  const { exchanges: _exchanges, ...run } = content;
  const call = findCall('account-update');
  if (call === undefined) throw new TypeError('the contract has this call');
  const typed = { country: text, language: text };
  const answer = {
    status: 200,
    headers: [['link', text]] as [string, string][],
    isCut: true,
    body: printableLines(text),
  };
  const authorize = { method: 'GET', path: '/oauth/authorize', query: [['state', text]], proof: null } as const;
  const asked = { ...authorize, query: [...authorize.query.map(([name, value]): [string, string] => [name, value])] };
  const token = tokenRequest(asking, { ...run, exchanges: [] });
  const made: Omit<Exchange, 'number' | 'at'>[] = [
    {
      kind: 'authorize',
      request: asked,
      answer: {
        callback: [
          ['error', 'access_denied'],
          ['error_description', text],
          ['code', { variable: 'CODE' }],
        ],
      },
    },
    { kind: 'authorize', request: asked, answer: { callback: [['error', text]] } },
    { kind: 'token', request: token, answer: { ...answer, status: 401 } },
    { kind: 'token', request: token, answer: { failure: 'unreachable' } },
    { kind: 'refresh', request: refreshRequest(asking, run), answer: { failure: 'timed-out' } },
    { kind: 'revoke', request: revokeRequest(asking, run), answer: { failure: 'redirected' } },
    {
      kind: 'call',
      request: callRequest(call, typed, 'mark'),
      answer: { ...answer, body: inertJson({ text }, 2) },
      call: { id: call.route.id, typed },
    },
    {
      kind: 'call',
      request: callRequest(call, typed, 'mark'),
      answer: { ...answer, status: 403 },
      call: { id: call.route.id, typed },
    },
    {
      kind: 'call',
      request: callRequest(call, typed, 'mark'),
      answer: { ...answer, status: 429 },
      call: { id: call.route.id, typed },
    },
  ];
  return made.map((one, index) => ({ ...one, number: index + 1, at }));
}
