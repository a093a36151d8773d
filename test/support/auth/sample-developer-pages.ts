import type { VNode } from 'preact';

import type { ApiEvent } from '@linnet/audit/api-history-store';
import {
  newApplicationValues,
  CreateApplicationPage,
} from '@linnet/auth/areas/developer/application/create-application.tsx';
import { ApiPage } from '@linnet/auth/areas/developer/apis/api-page.tsx';
import { ApisPage } from '@linnet/auth/areas/developer/apis/apis-page.tsx';
import { ActivityPage } from '@linnet/auth/areas/developer/activity/activity.tsx';
import { ApplicationPage } from '@linnet/auth/areas/developer/application/application.tsx';
import type { ApplicationPageProps } from '@linnet/auth/areas/developer/application/application.tsx';
import { CredentialsPage } from '@linnet/auth/areas/developer/credentials/credentials.tsx';
import type { CredentialsPageProps } from '@linnet/auth/areas/developer/credentials/credentials.tsx';
import { DangerPage } from '@linnet/auth/areas/developer/settings/danger.tsx';
import { NewCredentialsPage } from '@linnet/auth/areas/developer/credentials/new-credentials-page.tsx';
import { HistoryPage } from '@linnet/auth/areas/developer/activity/history.tsx';
import { MyApplicationsPage } from '@linnet/auth/areas/developer/application/my-applications-page.tsx';
import { ProfilePage } from '@linnet/auth/areas/developer/settings/profile.tsx';
import { WebhookSecretPage, WebhooksPage } from '@linnet/auth/areas/developer/webhooks/webhooks-page.tsx';
import { SettingsPage } from '@linnet/auth/areas/developer/settings/settings.tsx';
import type { SettingsPageProps } from '@linnet/auth/areas/developer/settings/settings.tsx';
import { TestPeoplePage } from '@linnet/auth/areas/developer/test-people.tsx';
import { UsagePage } from '@linnet/auth/areas/developer/usage/usage.tsx';
import { failureCauses } from '@linnet/applications/failures/causes';
import type { FailureCause } from '@linnet/applications/failures/causes';
import type { ListedFailure } from '@linnet/applications/failures/failure-store';
import type { Frame } from '@linnet/auth/pages/frame/frame';
import { defaultSettings } from '@linnet/applications/settings/protocol-settings';
import { inertText } from '@linnet/ui/inert-text';
import { ada, frameIn } from './sample-frame.ts';
import type { SampleLanguage } from './sample-frame.ts';

const at = new Date('2026-11-20T15:04:00Z');
const clientId = 'app_8Jr2tqkVZ0mXwL5yNcD3bQ';
const logo = `${'0'.repeat(32)}.png`;
const endpoints = [{ endpoint: 'GET /api/v2.0/account/verify_credentials', succeeded: 12_345, rejected: 2, failed: 0 }];
const usageSummary = { people: 1, lastUsedAt: at, tokens: 1234, calls: 5, secretExpiresAt: at };

export function sampleDeveloperPages(language: SampleLanguage, name: string): Readonly<Record<string, VNode>> {
  const frame = frameIn(language, ada);
  const { errors } = frame.messages.developer.form;
  const listed = { clientId, name, createdAt: at };
  const values = { ...newApplicationValues, name, redirectUris: name };
  const problems = {
    name: errors.nameBlank,
    redirect_uris: inertText(name),
    scope: errors.scopeUnknown(inertText(name)),
    implicit: errors.implicitNative,
  };
  const created = {
    frame,
    baseUrl: 'http://localhost:3000',
    application: { clientId, name, redirectUris: [name], scopes: ['posts', name] },
  };
  return {
    'no applications': MyApplicationsPage({ frame, applications: [], isDeleted: true, isUnconfirmed: true }),
    'my applications': MyApplicationsPage({
      frame,
      applications: [
        { ...listed, type: 'confidential', isVerified: true },
        { ...listed, clientId: 'b', type: 'native', isSuspended: true, isPaused: true, logo, usageSummary },
      ],
    }),
    'create application': CreateApplicationPage({ frame }),
    'create application, refused': CreateApplicationPage({
      frame,
      settingLimits: { accessTokenLifetime: 900 },
      values,
      errors: { ...problems, jwks_uri: errors.jwksUriBad, type: errors.typeMissing },
      problem: inertText(name),
    }),
    created: NewCredentialsPage({ ...created, clientSecret: 's3cret', occasion: 'created' }),
    'created without a secret': NewCredentialsPage({ ...created, occasion: 'created' }),
    'created with keys of its own': NewCredentialsPage({ ...created, hasOwnKeys: true, occasion: 'created' }),
    'secret added': NewCredentialsPage({ ...created, clientSecret: 's3cret', occasion: 'added' }),
    ...figurePages(frame, name),
    ...testPeoplePages(frame, name),
    ...apiPages(frame, name),
    ...overviewPages({ frame, listed }),
    ...settingsPages({ frame, values: { ...values, jwksUri: undefined }, errors: problems }),
  };
}

function apiPages(frame: Frame, name: string): Readonly<Record<string, VNode>> {
  const identifier = `https://api.example.com/${encodeURIComponent(name)}`;
  const api = { id: 1, name, identifier, isProven: false, scopes: [{ scope: name, description: name }] };
  const values = { identifier: name, name, scopes: name, clientId, accessTokenAlg: 'RS256' } as const;
  const applications = [{ clientId, name }];
  const issuer = 'http://localhost:3000';
  const { errors } = frame.messages.developer.apis;
  const stream = { id: 1, isPaused: false, offSince: null, lastEvent: null, failingSince: null, lastFailure: null };
  const failing = { failingSince: new Date(0), lastFailure: 500, waiting: 2 };
  const streams = [
    { ...stream, url: `${identifier}/events`, description: null, isPolled: false, ...failing },
    { ...stream, url: '', description: name, isPolled: true, lastEvent: new Date(0), waiting: 0 },
  ];
  return {
    'no APIs': ApisPage({ frame, apis: [], isDeleted: true, history: { events: [], hasOlder: false } }),
    'my APIs': ApisPage({ frame, apis: [api], history: { events: apiEvents(name), hasOlder: true } }),
    'register an API': ApiPage({
      frame,
      issuer,
      values: { ...values, identifier: '', clientId: '' },
      applications: [],
    }),
    'register an API, refused': ApiPage({
      frame,
      issuer,
      values,
      applications,
      errors: { identifier: errors.identifier.taken, scopes: errors.scopes.reserved(inertText(name)) },
      problem: errors.tooMany,
    }),
    'an API': ApiPage({ frame, issuer, streams, api: { ...api, isProven: true }, values, applications, done: 'saved' }),
    'an API, not deleted': ApiPage({ frame, issuer, api, values, applications, isConfirmWrong: true }),
  };
}

function apiEvents(name: string): readonly ApiEvent[] {
  const event = {
    at,
    actor: 'person',
    identifier: name,
    clientId: null,
    name,
    changed: null,
    accessTokenAlg: 'RS256',
  } as const;
  const changed = ['name', 'scopes', 'scope_descriptions', 'client_id', 'access_token_alg', 'is_proven'] as const;
  return [
    { ...event, id: 4, event: 'api.deleted', scopes: null },
    { ...event, id: 3, event: 'api.changed', scopes: [name], changed },
    { ...event, id: 2, event: 'api.changed', scopes: [name], changed: ['client_id'], clientId, actor: 'operator' },
    { ...event, id: 1, event: 'api.created', scopes: [name] },
  ];
}

function usagePages(frame: Frame, application: { readonly clientId: string; readonly name: string }) {
  const days = [0, 1, 900].map((tokens) => ({ day: '2026-11-20', tokens, people: tokens, calls: tokens, errors: 0 }));
  return {
    'application usage': UsagePage({ frame, application, days, endpoints, limitedProcesses: 2 }),
    'application usage, unlimited': UsagePage({
      ...{ frame, application, days: [], endpoints: [] },
      limitedProcesses: undefined,
    }),
  };
}

function testPeoplePages(frame: Frame, name: string): Readonly<Record<string, VNode>> {
  const { errors, enough } = frame.messages.developer.testPeople;
  const person = { id: 1, username: name, firstName: name, lastName: name };
  const people = Array.from({ length: 10 }, (_, index) => ({ ...person, id: index + 1, createdAt: at }));
  const refused = { ...person, errors: { username_1: errors.taken, first_name_1: errors.refused } };
  return {
    'no test people': TestPeoplePage({ frame, people: [], done: 'deleted' }),
    'test people': TestPeoplePage({ frame, people: people.slice(0, 2), done: 'created' }),
    'test people, refused': TestPeoplePage({ frame, people, refused, problem: enough(10) }),
  };
}

function figurePages(frame: Frame, name: string): Readonly<Record<string, VNode>> {
  const application = {
    clientId,
    name,
    logo,
    links: { website: name, terms: 'http://localhost:3000/terms', privacy: undefined },
  };
  const settings = { grant_types: ['client_credentials', name], require_pkce: true, access_token_lifetime: null };
  const event = {
    id: 1,
    at,
    event: 'secret.added',
    actor: 'person',
    secretId: '1',
    secret: null,
    scopes: null,
    settings: null,
  } as const;
  return {
    ...usagePages(frame, application),
    'application history': HistoryPage({
      frame,
      application,
      hasOlder: true,
      events: [
        event,
        { ...event, id: 2, actor: 'operator', secret: { name, createdAt: at.toISOString() } },
        { ...event, id: 3, secret: { name: null, createdAt: at.toISOString() } },
        { ...event, id: 4, event: 'application.changed', secretId: null, scopes: [name] },
        { ...event, id: 5, event: 'application.changed', secretId: null, settings },
        { ...event, id: 6, event: 'application.verified', actor: 'operator', secretId: null },
      ],
    }),
    'application history, empty': HistoryPage({ frame, application, hasOlder: false, events: [] }),
    ...webhookPages(frame, application),
    'application appearance': ProfilePage({ frame, application, done: 'links-saved' }),
    'application appearance, verified': ProfilePage({ frame, application: { ...application, isVerified: true } }),
    'application appearance, refused': ProfilePage({
      frame,
      application: { ...application, logo: undefined },
      typed: { website: name, terms: name, privacy: name },
      linkProblems: { website: 'bad-address', privacy: 'too-long' },
      logoProblem: 'damaged',
    }),
  };
}

const now = new Date(at.getTime() + 20 * 86_400_000);
const unused = { id: '1', name: undefined, createdAt: at, lastUsedAt: undefined, expiresAt: undefined, uses: 0 };

interface OverviewSamples {
  readonly frame: Frame;
  readonly listed: Pick<ApplicationPageProps['application'], 'clientId' | 'name' | 'createdAt'>;
}

/** An overview, and what its props may have besides. */
function overviewOf({ frame, listed }: OverviewSamples) {
  const described = { ...listed, type: 'confidential', redirectUris: [listed.name], scopes: ['posts'] } as const;
  const protocol = { ...defaultSettings('confidential'), dpopBoundAccessTokens: true };
  return (
    application: Partial<ApplicationPageProps['application']>,
    state: Partial<Omit<ApplicationPageProps, 'application'>> = {},
  ): VNode => {
    const base = { frame, baseUrl: 'http://localhost:3000', now };
    return ApplicationPage({ ...base, application: { ...described, protocol, secrets: [], ...application }, ...state });
  };
}

function overviewPages(samples: OverviewSamples): Readonly<Record<string, VNode>> {
  const { frame } = samples;
  const overview = overviewOf(samples);
  const secrets = [unused, { ...unused, id: '2', lastUsedAt: now, uses: 1234 }];
  return {
    application: overview({ secrets, isPaused: true, isVerified: true }, { usageSummary, recentFailures: 1234 }),
    'application, sent again': overview(
      { secrets: [1, 2, 3, 4, 5].map((id) => ({ ...unused, id: String(id) })) },
      { done: 'already-created' },
    ),
    'application with keys of its own': overview({ jwksUri: 'https://app.example.com/jwks.json' }),
    'application, suspended': overview({ isSuspended: true }),
    'public application': overview({ type: 'public' }),
    ...credentialsPages(frame, samples.listed),
    ...dangerPages(frame, samples.listed),
  };
}

function dangerPages(frame: Frame, listed: OverviewSamples['listed']): Readonly<Record<string, VNode>> {
  return {
    'application danger': DangerPage({
      frame,
      application: { ...listed, isPaused: true },
      usageSummary,
      done: 'paused',
    }),
    'application danger, not deleted': DangerPage({
      ...{ frame, application: listed, usageSummary: undefined },
      isConfirmWrong: true,
    }),
  };
}

function credentialsPages(frame: Frame, listed: OverviewSamples['listed']): Readonly<Record<string, VNode>> {
  const { name } = listed;
  const { enough, errors } = frame.messages.developer.secrets;
  const credentials = (
    application: Partial<CredentialsPageProps['application']>,
    state: Partial<Omit<CredentialsPageProps, 'application'>> = {},
  ): VNode => {
    const own = { ...listed, type: 'confidential', secrets: [], ...application } as const;
    return CredentialsPage({ frame, now, application: own, ...state });
  };
  const secrets = [unused, { ...unused, id: '2', lastUsedAt: now, uses: 1234 }];
  return {
    'application credentials': credentials({ secrets }, { done: 'secret-renamed' }),
    'application credentials, none': credentials({}, { done: 'secret-retired' }),
    'application credentials, name refused': credentials(
      { secrets },
      { secretName: { secretId: '1', name, error: errors.nameTooLong }, problem: enough(5), keptSecretId: '2' },
    ),
    'application credentials, secret refused': credentials(
      {
        secrets: [
          { ...unused, name, lastUsedAt: at, uses: 7 },
          { ...unused, id: '2', name, lastUsedAt: now, uses: 1234 },
          { ...unused, id: '3', expiresAt: now },
        ],
        expiredSecrets: [{ ...unused, name, expiresAt: at }],
      },
      {
        newSecret: {
          request: { name, lifetime: 'date', lastDay: name },
          errors: {
            secret_name: errors.nameTooLong,
            secret_lifetime: errors.lifetimeUnknown,
            secret_last_day: errors.dayMalformed,
          },
        },
      },
    ),
    'application credentials, key set URL': credentials({ jwksUri: 'https://app.example.com/jwks.json' }),
    'application credentials, registered keys': credentials(
      { hasOwnKeys: true },
      { newKeys: { keys: name, error: frame.messages.developer.form.errors.jwksNone } },
    ),
    'application credentials, public': credentials({ type: 'public' }),
  };
}

type SettingsSamples = Required<Pick<SettingsPageProps, 'frame' | 'values' | 'errors'>>;

const watchedAt = new Date('2026-11-22T10:00:00Z');
const watched = {
  until: watchedAt,
  list: [{ at: watchedAt, endpoint: 'GET /api/v2.0/post/show', requestId: '0b5fcb54-3b9a-4e0e-8f7e-2b1c0a6d5e4f' }],
};

function settingsPages({ frame, values, errors }: SettingsSamples): Readonly<Record<string, VNode>> {
  const { name } = values;
  const application = { clientId, name };
  return {
    'application settings': SettingsPage({
      frame,
      application: { ...application, isVerified: true },
      values,
      isSaved: true,
    }),
    'application settings, refused': SettingsPage({ frame, application, values, errors, problem: inertText(name) }),
    'application activity': ActivityPage({
      frame,
      application,
      failures: {
        filter: { kind: 'redirect_uri', request: '', isOwn: true },
        list: sampleFailures(name),
        hasOlder: false,
      },
      watched,
    }),
    'application activity, none': ActivityPage({
      frame,
      application,
      failures: { filter: { kind: '', request: '', isOwn: false }, list: [], hasOlder: false },
      watched: { until: null, list: [] },
    }),
    ...Object.fromEntries(
      [0, 1, 2].map((part) => [
        `application activity, causes ${String(part)}`,
        ActivityPage({
          frame,
          application,
          failures: {
            filter: { kind: 'api-403', request: name, isOwn: false },
            list: everyCause(name).slice(part * 25, part * 25 + 25),
            hasOlder: true,
          },
          watched: { until: new Date('2026-11-22T10:00:00Z'), list: [] },
        }),
      ]),
    ),
  };
}

function sampleFailures(text: string): readonly ListedFailure[] {
  const failure = {
    id: 1,
    ...{ at, firstAt: at, times: 12 },
    kind: 'redirect_uri',
    cause: 'redirect_uri_unregistered',
    details: {},
    endpoint: '/oauth/authorize',
    error: 'invalid_redirect_uri',
    requestId: '5d4c1b1e-1f4b-4f0f-9d52-0a4f7e3a2b10',
    status: null,
  } as const;
  // Too long for a comparison by character: the page has the same elements whatever the text.
  const addresses = { presented: text, registered: `https://app.example.com/${'c'.repeat(300)}` };
  return [
    { ...failure, reason: text, ...addresses },
    { ...failure, id: 2, reason: text, presented: addresses.registered, registered: text },
    // Without a request id, there is no link to the whole texts, which only long ones have.
    { ...failure, id: 3, requestId: null, reason: text, presented: text, registered: null },
  ];
}

/** One failure for each cause, with every fact. */
function everyCause(text: string): readonly ListedFailure[] {
  const time = at.toISOString();
  const details = {
    ...{ issuedAt: time, expiresAt: time, usedAt: time, endedAt: time, secret: text, grantType: text, limit: text },
    ...{ scopes: [text, 'posts'], parameters: [text] },
  };
  // Object.keys returns string[].
  const causes = Object.keys(failureCauses) as readonly FailureCause[];
  const times = { at, firstAt: at, times: 1 };
  const failure = {
    ...times,
    details,
    endpoint: '/oauth/token',
    error: 'invalid_grant',
    reason: text,
    requestId: null,
  };
  const addresses = { status: null, presented: null, registered: null };
  return [
    ...causes.map((cause, id) => ({ ...failure, ...addresses, id, cause, kind: failureCauses[cause] })),
    { ...failure, ...addresses, id: 1001, cause: undefined, details: {}, kind: 'request' },
    { ...failure, ...addresses, id: 1002, cause: 'token_expired', kind: 'api', status: 401 },
  ];
}

const logLine = {
  messageId: 'msg_1',
  kind: 'mention.created',
  accountId: 1,
  state: 'delivered',
  attempts: 1,
  status: 200,
  durationMs: 83,
  actorId: 2,
  postId: 3,
  commentId: null,
  concernedId: null,
  happenedAt: at,
  draftId: null,
  isTest: false,
  createdAt: at,
  dueAt: at,
} as const;
const sampleLog = [
  logLine,
  { ...logLine, messageId: 'msg_2', state: 'pending', status: null, attempts: 2 },
  { ...logLine, messageId: 'msg_3', state: 'failed', status: 500, attempts: 1, isTest: true },
  { ...logLine, messageId: 'msg_4', state: 'dropped', status: null, durationMs: null },
] as const;

function webhookPages(
  frame: Frame,
  application: { readonly clientId: string; readonly name: string },
): Readonly<Record<string, VNode>> {
  const { name } = application;
  const endpoint = { id: 1, clientId, url: name, events: ['mention.created'], createdAt: at, waiting: 0 } as const;
  const off = { isFailing: true, failingSince: null, offSince: null, previousUntil: null } as const;
  return {
    'application webhooks': WebhooksPage({
      frame,
      listenCommand: `export CLIENT_ID=${clientId}`,
      application,
      done: 'replayed',
      endpoints: [
        { ...endpoint, ...off, failingSince: at, previousUntil: at, waiting: 2, log: sampleLog },
        { ...endpoint, ...off, id: 2, offSince: at, log: [] },
      ],
    }),
    'application webhooks, refused': WebhooksPage({
      frame,
      listenCommand: undefined,
      application,
      endpoints: [],
      typed: { url: name, events: ['post.created'] },
      errors: { url: frame.messages.developer.webhooks.errors['wrong-challenge'] },
    }),
    'webhook secret': WebhookSecretPage({
      frame,
      clientId,
      url: name,
      secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    }),
  };
}
