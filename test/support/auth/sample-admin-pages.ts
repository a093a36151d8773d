import type { ChosenAccount } from '@linnet/accounts/account-search-store';
import type { PersonFacts } from '@linnet/accounts/operators/person-store';
import type { FoundApplication } from '@linnet/applications/application/application-facts-store';
import type { AuditEvent } from '@linnet/audit/audit-store';
import type { VNode } from 'preact';

import { MissingFactorPage } from '@linnet/auth/areas/admin/operator-door.tsx';
import {
  ApplicationPage,
  ApplicationsPage,
  applicationList,
} from '@linnet/auth/areas/admin/applications/application-page.tsx';
import type { ApplicationPageProps } from '@linnet/auth/areas/admin/applications/application-page.tsx';
import { OverviewPage } from '@linnet/auth/areas/admin/overview/overview.tsx';
import { rowKey } from '@linnet/auth/areas/admin/act-form.tsx';
import { AuditPage } from '@linnet/auth/areas/admin/audit/audit.tsx';
import type { CaseWithReports } from '@linnet/social/report/report-queue-store';
import { ReportPage } from '@linnet/auth/areas/admin/reports/report-page.tsx';
import { BlocksPage } from '@linnet/auth/areas/admin/registrations/blocks.tsx';
import { RegistrationsPage } from '@linnet/auth/areas/admin/registrations/registrations.tsx';
import { ReportsPage } from '@linnet/auth/areas/admin/reports/reports.tsx';
import { ChosenPage } from '@linnet/auth/areas/admin/chosen.tsx';
import { PeoplePage, peopleList } from '@linnet/auth/areas/admin/people/people.tsx';
import { PersonPage } from '@linnet/auth/areas/admin/people/person-page.tsx';
import { ReauthenticatePage } from '@linnet/auth/sign-in/step-up/reauthenticate-page.tsx';
import { ada, frameIn } from './sample-frame.ts';
import type { SampleLanguage } from './sample-frame.ts';

const at = new Date('2026-11-20T15:04:00Z');

export function sampleAdminPages(language: SampleLanguage, name: string): Readonly<Record<string, VNode>> {
  const frame = frameIn(language, { ...ada, operatorSince: at });
  return {
    'operator without a factor': MissingFactorPage({ frame, username: 'ada_lovelace', factors: 'none' }),
    'operator with a new factor': MissingFactorPage({ frame, username: 'ada_lovelace', factors: 'new' }),
    'operator confirms': ReauthenticatePage({
      frame,
      username: name,
      sealedForm: '-',
      asksPassword: false,
      passkeyOptions: '{}',
    }),
    ...sampleOverviewPages(language, name),
    ...samplePeoplePages(language, name),
    ...sampleRegistrationPages(language, name),
    ...sampleReportPages(language, name),
    ...samplePersonPages(language, name),
    ...sampleApplicationPages(language, name),
    ...sampleAuditPages(language, name),
  };
}

function samplePeoplePages(language: SampleLanguage, name: string): Readonly<Record<string, VNode>> {
  const frame = frameIn(language, { ...ada, operatorSince: at });
  const found: ChosenAccount = {
    ...{ id: 1, username: name, email: name, displayName: name, createdAt: at, state: 'active', mark: null },
    ...{ isVerified: true, isEmailConfirmed: true, isOperator: true, hasFactors: true },
    ...{ isSuspended: false, isLimited: false, isDeleted: false },
  };
  const shown = { ...found, id: 2, state: 'suspended', isEmailConfirmed: false, isOperator: false } as const;
  const people: readonly ChosenAccount[] = [found, shown, { ...found, id: 3, state: 'deleted', mark: 'word' }];
  const query = { q: name, state: 'suspended', domain: name, network: name, since: name };
  const nothing = { q: '', state: '', domain: '', network: '', since: '' };
  const refused = { action: 'suspend', reason: name, shownReason: name, problem: 'shown-too-long' } as const;
  return {
    'admin people': PeoplePage({ frame, query, people, next: '?q=a', all: '?all=1', isAllChosen: true }),
    'admin people, none': PeoplePage({ frame, query: nothing, people: [], done: 'delete' }),
    'admin people, refused': PeoplePage({
      frame,
      query,
      people: [],
      wrong: ['domain', 'network', 'since'],
    }),
    'admin chosen people': ChosenPage({
      ...{ frame, list: peopleList, name: 'suspend', refused },
      ...{ chosen: people.slice(2), leftOut: people.slice(0, 2) },
    }),
    'admin chosen people, changed': ChosenPage({
      ...{ frame, list: peopleList, name: 'restore', isChangedSince: true },
      ...{ chosen: [], leftOut: people },
    }),
    'admin chosen people, none': ChosenPage({ frame, list: peopleList, name: 'delete', chosen: [], leftOut: [] }),
  };
}

function sampleOverviewPages(language: SampleLanguage, name: string): Readonly<Record<string, VNode>> {
  const frame = frameIn(language, { ...ada, operatorSince: at });
  const counts = { people: 12_345, suspended: 2, applications: 3, posts: 4, reports: 3, registrations: 4, sessions: 5 };
  const queues = { mail: 6, mailDelaySeconds: 700, logoutNotices: 0, removedMedia: 0 };
  const states = ['current', 'next', 'retired', 'revoked'] as const;
  const keys = states.map((state, index) => ({ kid: state, alg: 'ES256', state, ageSeconds: 60 * 60 ** index }));
  const state = { ...counts, ...queues, keys, limits: [{ name: 'sign-in', counters: 7 }] };
  const quiet = { ...state, mail: 0, mailDelaySeconds: null, keys: [], limits: [] };
  return {
    'admin overview': OverviewPage({ frame, state, feedSeconds: 0.3, events: sampleEvents(name) }),
    'admin overview, nothing': OverviewPage({ frame, state: quiet, feedSeconds: undefined, events: [] }),
  };
}

function sampleRegistrationPages(language: SampleLanguage, name: string): Readonly<Record<string, VNode>> {
  const frame = frameIn(language, { ...ada, operatorSince: at });
  const one = {
    ...{ id: 1, username: name, displayName: name, email: name, reason: name, clientId: null, createdAt: at },
    mark: 'network',
  } as const;
  const requests = [one, { ...one, id: 2, reason: '', clientId: name }];
  return {
    'admin registrations': RegistrationsPage({ frame, requests, next: '?after=1-1', done: 'taken' }),
    'admin registrations, none': RegistrationsPage({ frame, requests: [], next: undefined, done: 'approved' }),
    'admin registrations, refused': RegistrationsPage({
      ...{ frame, requests, next: undefined, checked: [1], reason: name },
      problem: 'noneChosen',
      refused: { action: 'registrations', reason: name, problem: 'missing' },
    }),
    ...sampleBlockPages(language, name),
  };
}

function sampleBlockPages(language: SampleLanguage, name: string): Readonly<Record<string, VNode>> {
  const frame = frameIn(language, { ...ada, operatorSince: at });
  const block = {
    id: 1,
    kind: 'word',
    value: name,
    act: 'mark',
    note: name,
    createdAt: at,
    expiresAt: at,
    hasEnded: true,
  } as const;
  const blocks = [
    block,
    { ...block, id: 2, kind: 'network', act: 'refuse', note: '', expiresAt: null, hasEnded: false },
  ] as const;
  return {
    'admin blocks': BlocksPage({ frame, text: name, blocks, next: '?before=1', done: 'added' }),
    'admin blocks, none': BlocksPage({ frame, text: '', blocks: [], next: undefined, done: 'removed' }),
    'admin blocks, refused': BlocksPage({
      ...{ frame, text: '', blocks, next: undefined, checked: [1], problem: 'noneChosen' },
      written: { kind: 'word', value: name, act: 'mark', until: name, note: name },
      wrong: ['kind', 'value', 'act', 'until', 'note'],
      refused: { action: 'add', reason: name, problem: 'missing' },
    }),
  };
}

function sampleReportPages(language: SampleLanguage, name: string): Readonly<Record<string, VNode>> {
  const frame = frameIn(language, { ...ada, operatorSince: at });
  const report = {
    id: 1,
    reporterId: 2,
    reporter: name,
    reason: 'hate',
    text: name,
    content: name,
    createdAt: at,
  } as const;
  const one: CaseWithReports = {
    ...{ id: 1, type: 'comment', subjectId: 2, accountId: 1, username: name, displayName: name, postId: 3 },
    ...{ exists: true, isOperator: false, isAccountDeleted: false, outcome: null, rule: null },
    ...{ reports: 2, reasons: ['hate', 'self_harm'], content: name, createdAt: at, latestAt: at },
    latest: [report, { ...report, id: 2, reporterId: null, reporter: null, text: '', content: `${name}!` }],
  };
  const cases = [
    one,
    { ...one, id: 2, type: 'account', postId: null, reports: 1 } as const,
    { ...one, id: 3, exists: false },
  ];
  return {
    'admin reports': ReportsPage({ frame, order: 'most', cases, next: '?after=1-1' }),
    'admin reports, none': ReportsPage({ frame, order: 'newest', cases: [], next: undefined }),
    'admin report': ReportPage({ frame, one }),
    'admin report, refused': ReportPage({
      frame,
      one: { ...one, type: 'account', postId: null, exists: false },
      refused: { action: 'suspended', reason: '', problem: 'missing' },
      isChangedSince: true,
    }),
    'admin report, resolved': ReportPage({ frame, one: { ...one, type: 'post', outcome: 'deleted' }, done: 'deleted' }),
  };
}

function personNamed(name: string): PersonFacts {
  return {
    ...{ id: 1, username: name, displayName: name, email: name, createdAt: at, applications: 2 },
    isEmailConfirmed: false,
    isVerified: false,
    isProtected: true,
    ...{ suspendedAt: null, suspensionReason: null, appeal: null, appealedAt: null },
    ...{ limitedAt: at, limitReason: name, limitedBy: name, suspendedBy: null },
    mark: 'word',
    deletedAt: null,
    operatorSince: null,
    ...{ posts: 1200, followers: 3, passkeys: 2, hasAuthenticatorApp: true, invitedBy: name, invited: 1200 },
  };
}

function samplePersonPages(language: SampleLanguage, name: string): Readonly<Record<string, VNode>> {
  const frame = frameIn(language, { ...ada, operatorSince: at });
  const person = personNamed(name);
  const lists = {
    sessions: [{ uid: 'a', userAgent: name, address: name, signedInAt: at, lastSeenAt: at }],
    grants: [
      {
        ...{ clientId: 'a', name, ownerUsername: name, connectedAt: at, lastUsedAt: at },
        ...{ signIns: 1, expiresAt: undefined, actsAsOwner: false, hasConsent: true, consented: [] },
        scopes: [{ scope: 'posts', isOptional: false }],
      },
    ],
    events: sampleEvents(name),
  };
  const empty = { sessions: [], grants: [], events: [] };
  return {
    'admin person': PersonPage({
      ...{ frame, person, ...lists, done: 'restore' },
      refused: { action: 'suspend', reason: name, shownReason: name, problem: 'shown-too-long' },
    }),
    'admin person, refused': PersonPage({
      frame,
      person: {
        ...person,
        isVerified: true,
        suspendedAt: at,
        passkeys: 0,
        hasAuthenticatorApp: false,
        appeal: name,
        appealedAt: at,
      },
      ...empty,
      refused: { action: 'restore', reason: name, problem: 'personal' },
    }),
    'admin person, changed since': PersonPage({
      frame,
      person: { ...person, deletedAt: at, isProtected: false },
      ...empty,
      isChangedSince: true,
    }),
    'admin person, one session refused': PersonPage({
      frame,
      person,
      ...lists,
      done: 'end-grant',
      refused: { action: rowKey('end-session', 'a'), reason: '', problem: 'missing' },
    }),
    'admin person, operator': PersonPage({ frame, person: { ...person, operatorSince: at }, ...empty }),
  };
}

function sampleApplicationPages(language: SampleLanguage, name: string): Readonly<Record<string, VNode>> {
  const frame = frameIn(language, { ...ada, operatorSince: at });
  const found: FoundApplication = {
    ...{ clientId: 'a', name, owner: name, createdAt: at },
    type: 'public',
    ...{ isSuspended: false, isPaused: false, isVerified: true },
  };
  const application: ApplicationPageProps['application'] = {
    ...{ clientId: name, name, owner: name, scopes: ['posts'], redirectUris: [name] },
    type: 'confidential',
    ...{ isSuspended: false, isPaused: false, isVerified: false },
  };
  const other = { ...found, clientId: 'b', owner: null, isSuspended: true, isPaused: true, isVerified: false };
  const usage = { people: 1200, lastUsedAt: at, tokens: 3, calls: 4, secretExpiresAt: undefined };
  return {
    'admin applications': ApplicationsPage({
      ...{ frame, text: name, applications: [found, other] },
      ...{ next: '?q=a', all: '?all=1', isAllChosen: true },
    }),
    'admin applications, none': ApplicationsPage({
      ...{ frame, text: '', applications: [], next: undefined, done: 'end-access' },
    }),
    'admin chosen applications': ChosenPage({
      ...{ frame, list: applicationList, name: 'suspend', chosen: [found], leftOut: [other] },
      refused: { action: 'suspend', reason: name, problem: 'personal' },
    }),
    'admin chosen applications, none': ChosenPage({
      ...{ frame, list: applicationList, name: 'end-access', chosen: [], leftOut: [] },
    }),
    'admin application': ApplicationPage({ frame, application, usage, events: sampleEvents(name), done: 'restore' }),
    'admin application, refused': ApplicationPage({
      frame,
      application: { ...application, owner: undefined, isSuspended: true, isPaused: true, isVerified: true },
      usage: undefined,
      events: [],
      refused: { action: 'end-access', reason: '', problem: 'missing' },
      isChangedSince: true,
    }),
  };
}

function sampleAuditPages(language: SampleLanguage, name: string): Readonly<Record<string, VNode>> {
  const frame = frameIn(language, { ...ada, operatorSince: at });
  const typed = { event: '', actor: 'operator', account: name, operator: '', client: name, from: '', to: '' };
  return {
    'admin audit': AuditPage({ frame, typed, wrong: [], events: sampleEvents(name), next: '?before=1' }),
    'admin audit, continued': AuditPage({ frame, typed, wrong: [], events: [], next: '?before=1' }),
    'admin audit, refused': AuditPage({ frame, typed, wrong: ['account', 'from'], events: [], next: undefined }),
  };
}

function sampleEvents(name: string): readonly AuditEvent[] {
  const event: AuditEvent = {
    ...{ id: 1, at, event: 'account.suspended', actor: 'operator', accountId: 1, username: name, clientId: null },
    ...{ requestId: 'a', address: '192.0.2.7', detail: { operator: '7', reason: name } },
  };
  return [
    event,
    { ...event, id: 2, actor: 'application', username: null, clientId: name, address: null, detail: { kind: name } },
  ];
}
