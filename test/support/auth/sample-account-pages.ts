import type { VNode } from 'preact';

import { accountEvents } from '@linnet/audit/account-history-store';
import type { AccountEvent } from '@linnet/audit/account-history-store';

import { AccountPage } from '@linnet/auth/areas/account/overview.tsx';
import { ActivityPage, NotMePage } from '@linnet/auth/areas/account/activity.tsx';
import { ApplicationsPage } from '@linnet/auth/areas/account/applications.tsx';
import { RecoveryCodesPage, SecurityPage } from '@linnet/auth/areas/account/security-page.tsx';
import { AuthenticatorPage, NewPasskeyPage } from '@linnet/auth/areas/account/new-passkey.tsx';
import { EmailPage } from '@linnet/auth/areas/account/email.tsx';
import { ConnectedApplicationPage } from '@linnet/auth/areas/account/connected-application.tsx';
import { PasswordPage } from '@linnet/auth/areas/account/password.tsx';
import { DeletionPage } from '@linnet/auth/areas/account/deletion.tsx';
import { ImportPage } from '@linnet/auth/areas/account/import.tsx';
import { ExportPage } from '@linnet/auth/areas/account/export.tsx';
import { HiddenPage } from '@linnet/auth/areas/account/hidden-page.tsx';
import { InvitationsPage } from '@linnet/auth/areas/account/invitations.tsx';
import { NotificationsPage } from '@linnet/auth/areas/account/notifications.tsx';
import { FollowersPage } from '@linnet/auth/areas/account/followers-page.tsx';
import { ProfilePage } from '@linnet/auth/areas/account/profile-page.tsx';
import { SessionsPage } from '@linnet/auth/areas/account/sessions.tsx';
import { UsernamePage } from '@linnet/auth/areas/account/username.tsx';
import type { Frame } from '@linnet/auth/pages/frame/frame';
import { inertText } from '@linnet/ui/inert-text';
import { ada, frameIn } from './sample-frame.ts';
import type { SampleLanguage } from './sample-frame.ts';

const at = new Date('2026-11-20T15:04:00Z');
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

export function sampleAccountPages(language: SampleLanguage, name: string): Readonly<Record<string, VNode>> {
  const frame = frameIn(language, ada);
  const { account, signIn } = frame.messages;
  return {
    ...sampleOwnPages(language, name),
    ...sampleDataPages(language, name),
    account: AccountPage({
      frame,
      account: { username: name, displayName: name, email: name, createdAt: at },
      photo: '/media/avatars/0.png',
      isProtected: true,
      requests: 2,
      applications: 1,
      sessions: 2,
    }),
    ...sampleConnectedPages(frame, name),
    sessions: SessionsPage({
      frame,
      isEnded: true,
      sessions: [
        { uid: 'a', isCurrent: true, userAgent: firefox, address: 'https://linnet.example/@ada', signedInAt: at },
        { uid: 'b', isCurrent: false, userAgent: name, signedInAt: at, lastSeenAt: at },
      ],
    }),
    'e-mail': EmailPage({ frame, present: name, isVerified: true, done: 'sent' }),
    'e-mail, changing': EmailPage({
      frame,
      present: name,
      isVerified: true,
      pending: { id: 1, email: name, expiresAt: at, isRefused: true },
      problem: inertText(name),
    }),
    'e-mail, not confirmed, refused': EmailPage({
      frame,
      present: name,
      isVerified: false,
      isRefused: true,
      next: name,
      errors: { email: signIn.register.errors.emailMalformed, current_password: account.password.currentMissing },
    }),
    ...sampleSecurityPages(language, name),
    ...sampleActivityPages(frame, name),
    password: PasswordPage({ frame, isChanged: true }),
    'password, refused': PasswordPage({
      frame,
      errors: { current_password: account.password.currentWrong, new_password: signIn.passwordErrors.tooShort },
      problem: inertText(name),
    }),
  };
}

function sampleActivityPages(frame: Frame, name: string): Readonly<Record<string, VNode>> {
  return {
    activity: ActivityPage({ frame, events: sampleEvents(name), hasOlder: true }),
    'no activity': ActivityPage({ frame, events: [], hasOlder: false }),
    'not me': NotMePage({ frame }),
    'password, after not me': PasswordPage({ frame, isSecured: true }),
  };
}

/** One of each kind. */
function sampleEvents(name: string): readonly AccountEvent[] {
  const facts = { at, address: '192.0.2.0/24', userAgent: firefox, factor: null, application: null };
  return accountEvents.map((event, id) => ({
    ...facts,
    id,
    event,
    actor: event === 'account.suspended' ? 'operator' : 'person',
    application: /^(?:consent|application)/.test(event) ? name : null,
  }));
}

function sampleConnectedPages(frame: Frame, name: string): Readonly<Record<string, VNode>> {
  const connected = { name, ownerUsername: name, connectedAt: at, actsAsOwner: false, hasConsent: true };
  const scopes = [
    { scope: 'posts', isOptional: false, reason: name },
    { scope: 'email', isOptional: true, reason: name },
  ];
  const application = { ...connected, clientId: 'app_8Jr2tqkVZ0mXwL5yNcD3bQ', scopes };
  return {
    'no connected applications': ApplicationsPage({ frame, applications: [] }),
    'connected applications': ApplicationsPage({
      frame,
      done: 'disconnected',
      applications: [
        application,
        { ...connected, clientId: 'b', scopes: [], actsAsOwner: true, lastUsedAt: at, signIns: 3, expiresAt: at },
        { ...connected, ownerUsername: undefined, clientId: 'https://agent.example/client.json', scopes },
        { ...connected, clientId: 'c', scopes, actsAsOwner: true, hasConsent: false },
      ],
    }),
    'connected application': ConnectedApplicationPage({
      frame,
      application: { ...application, consented: scopes },
      facts: { isVerified: true, createdAt: at, isNew: false, minPeople: 10_000 },
    }),
    'connected application, changed': ConnectedApplicationPage({
      frame,
      application: { ...application, expiresAt: at, consented: scopes.slice(0, 1) },
      facts: { isVerified: false, createdAt: at, isNew: true, minPeople: 0 },
      done: 'changed',
    }),
  };
}

/** The profile, the username and the followers. */
function sampleOwnPages(language: SampleLanguage, name: string): Readonly<Record<string, VNode>> {
  const frame = frameIn(language, ada);
  const { account, names } = frame.messages;
  const photo = { src: '/media/avatars/0.png', isDefault: true };
  const values = {
    first_name: name,
    last_name: name,
    displayName: name,
    description: inertText(name),
    country: name,
    language: 'en',
  };
  const { wrong, missing } = account.profile.errors;
  return {
    profile: ProfilePage({ frame, values, photo, isVerified: true, done: 'saved' }),
    'profile, refused': ProfilePage({
      frame,
      values,
      photo: { ...photo, isDefault: false },
      errors: {
        photo: account.profile.photoErrors.tooLong,
        displayName: names.errors.unprintable,
        first_name: missing.first_name,
        description: wrong.description,
        language: wrong.language,
      },
    }),
    username: UsernamePage({
      frame,
      username: name,
      address: 'https://linnet.example/@ada',
      isFree: true,
      wanted: name,
    }),
    'username, refused': UsernamePage({
      frame,
      username: name,
      address: 'https://linnet.example/@ada',
      error: account.username.errors.tooMany(frame.messages.formatDay(at)),
    }),
  };
}

/** Word filters, mutes and blocks. */
function sampleHiddenPages(language: SampleLanguage, name: string): Readonly<Record<string, VNode>> {
  const frame = frameIn(language, ada);
  const { errors } = frame.messages.hidden;
  const person = { id: 1, username: name, displayName: name, photo: '/media/avatars/0.png', endsAt: null };
  const filter = { id: 1, text: name, part: false, endsAt: null };
  return {
    hidden: HiddenPage({
      frame,
      filters: { items: [], total: 0 },
      muted: { items: [] },
      blocked: { items: [] },
      done: 'unblocked',
    }),
    'hidden, refused': HiddenPage({
      frame,
      filters: {
        items: [filter, { ...filter, id: 2, part: true, endsAt: at }],
        total: 22,
        older: '/account/hidden?filters=2',
      },
      muted: { items: [person, { ...person, id: 2, endsAt: at }], older: '/account/hidden?muted=b' },
      blocked: { items: [person], newer: '/account/hidden?blocked=a' },
      values: { text: inertText(name), isPart: true, ends: 'week', mute: inertText(name), block: inertText(name) },
      errors: { text: errors.text, mute: errors.unknown, block: errors.own },
      isThrottled: true,
    }),
  };
}

function sampleInvitationPages(language: SampleLanguage, name: string): Readonly<Record<string, VNode>> {
  const frame = frameIn(language, ada);
  const { errors } = frame.messages.invitations;
  const invitation = { id: 1, owner: name, note: name, uses: 1, maxUses: 3, createdAt: at, expiresAt: at };
  const invitations = [invitation, { ...invitation, id: 2, note: '', expiresAt: new Date('2026-12-20T15:04:00Z') }];
  const link = 'https://linnet.example/register?invitation=q7YbQfkP0t1nC4mZs9vJwA';
  return {
    invitations: InvitationsPage({ frame, invitations: [], now: at, isUnconfirmed: true, done: 'ended' }),
    'invitations, created': InvitationsPage({ frame, invitations, now: at, link }),
    'invitations, refused': InvitationsPage({
      frame,
      invitations,
      now: at,
      values: { note: inertText(name), uses: 'x', days: '1' },
      errors: { note: errors.note(200), uses: errors.uses(10) },
      problem: 'full',
      older: '/account/invitations?page=2',
    }),
  };
}

const sampleImports = (['running', 'undoing', 'finished', 'failed', 'undone'] as const).map((state, id) => ({
  ...({
    id,
    state,
    source: 'mastodon',
    posts: 1203,
    comments: 1,
    pictures: 0,
    undoable: !state.startsWith('undo'),
  } as const),
  problem: state === 'failed' ? ('fault' as const) : null,
  ...{ leftOut: { text: 3, private: 14 }, createdAt: new Date('2026-11-20T12:00:00Z') },
}));

/** Export, deletion and related pages. */
function sampleDataPages(language: SampleLanguage, name: string): Readonly<Record<string, VNode>> {
  const frame = frameIn(language, ada);
  const { account } = frame.messages;
  const follower = { id: 1, username: name, displayName: name, photo: '/media/avatars/0.png' };
  const requests = { followers: 1, requests: 2, listed: [follower, { ...follower, id: 2 }] };
  return {
    followers: FollowersPage({
      frame,
      isProtected: false,
      followers: 0,
      requests: 0,
      listed: [],
      list: { items: [] },
      done: 'opened',
    }),
    'followers, requests': FollowersPage({
      frame,
      isProtected: true,
      ...requests,
      list: { items: requests.listed, older: '/account/followers?followers=c' },
      newer: '/account/followers?cursor=a',
      older: '/account/followers?cursor=b',
      isGone: true,
    }),
    ...sampleHiddenPages(language, name),
    ...sampleInvitationPages(language, name),
    notifications: NotificationsPage({ frame, choice: { off: ['like', 'repost'], proposalMail: true }, done: 'saved' }),
    export: ExportPage({ frame }),
    'export, refused': ExportPage({ frame, error: account.passwordCheck.wrong }),
    import: ImportPage({ frame, imports: [] }),
    'import, with a list': ImportPage({
      frame,
      imports: sampleImports,
      errors: { archive: frame.messages.imports.problems.damaged },
      done: 'started',
    }),
    deletion: DeletionPage({ frame, username: name }),
    'deletion, refused': DeletionPage({
      frame,
      username: name,
      errors: { confirm: account.deletion.confirmMissing, password: account.passwordCheck.wrong },
      problem: inertText(name),
    }),
  };
}

function sampleSecurityPages(language: SampleLanguage, name: string): Readonly<Record<string, VNode>> {
  const frame = frameIn(language, ada);
  const { factors } = frame.messages;
  return {
    security: SecurityPage({ frame, passkeys: [], arePasskeysImpossible: true }),
    'security, unconfirmed': SecurityPage({ frame, passkeys: [], isUnconfirmed: true }),
    'security, protected': SecurityPage({
      frame,
      passkeys: [
        { id: 1, name, createdAt: at, lastUsedAt: null },
        { id: 2, name, createdAt: at, lastUsedAt: at },
      ],
      app: { createdAt: at, codesLeft: 2 },
      identities: [{ id: 1, issuer: 'https://id.example', name, createdAt: at, lastUsedAt: at }],
      linkable: [{ id: 'work', name }],
      done: 'passkey-added',
    }),
    'new passkey, refused': NewPasskeyPage({
      frame,
      passkeyOptions: JSON.stringify({ user: { name } }),
      name,
      nameError: factors.newPasskey.nameWrong,
      isRefused: true,
    }),
    authenticator: AuthenticatorPage({
      frame,
      secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
      uri: 'otpauth://totp/Linnet:ada?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Linnet',
      sealed: 'x',
      error: factors.authenticator.wrong,
    }),
    'recovery codes': RecoveryCodesPage({
      frame,
      codes: ['0123-4567-89ab-cdef', 'ghjk-mnpq-rstv-wxyz'],
      isAppNew: true,
    }),
  };
}
