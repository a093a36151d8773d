import type { ApplicationFacts } from '@linnet/applications/application/application-facts-store';
import type { VNode } from 'preact';

import { ConsentPage } from '@linnet/auth/sign-in/consent/consent-page.tsx';
import { ReturningPage } from '@linnet/auth/sign-in/consent/returning-page.tsx';
import { DeviceConsentPage, DeviceDonePage, UserCodePage } from '@linnet/auth/sign-in/device/device-page.tsx';
import { LoginPage } from '@linnet/auth/sign-in/login/login-step.tsx';
import { ErrorDestinationPage } from '@linnet/auth/sign-in/logout/provider-pages.tsx';
import { LogoutPage, SignedOutPage } from '@linnet/auth/sign-in/logout/logout-page.tsx';
import { RecoveryCodeUsedPage, SecondFactorPage } from '@linnet/auth/sign-in/second-factor/second-factor-step.tsx';
import { RestorationPage } from '@linnet/auth/sign-in/restoration/restoration-step.tsx';
import { SuspensionPage } from '@linnet/auth/sign-in/restoration/suspension.tsx';
import { SelectAccountPage } from '@linnet/auth/sign-in/select-account/select-account.tsx';
import { ReauthenticatePage } from '@linnet/auth/sign-in/step-up/reauthenticate-page.tsx';
import { UpstreamProblemPage } from '@linnet/auth/sign-in/upstream/upstream-page.tsx';
import { RegisterPage, RegistrationNotice } from '@linnet/auth/sign-in/register/register-page.tsx';
import { ErrorPage } from '@linnet/auth/pages/views/error-page.tsx';
import type { ErrorKind } from '@linnet/auth/pages/views/error-page.tsx';
import { inertText } from '@linnet/ui/inert-text';
import { ada, frameIn } from './sample-frame.ts';
import type { SampleLanguage } from './sample-frame.ts';

/** Options for `navigator.credentials`, which contain names. */
const optionsFor = (name: string) => JSON.stringify({ challenge: 'AAAA', user: { name } });

function sampleFactorPages(language: SampleLanguage, name: string): Readonly<Record<string, VNode>> {
  const frame = frameIn(language);
  const signedIn = frameIn(language, { username: name, displayName: name });
  const suspension = { suspendedAt: facts.createdAt, reason: name, appeal: null, appealedAt: null };
  const passkeyOptions = optionsFor(name);
  const loginHref = '/login';
  return {
    'login with passkeys': LoginPage({ frame, registerHref: '/register', passkeyOptions, problem: 'passkey' }),
    'second factor': SecondFactorPage({ frame, loginHref }),
    'second factor, wrong': SecondFactorPage({ frame, loginHref, problem: 'code', isStep: true }),
    'second factor, wrong recovery code': SecondFactorPage({ frame, loginHref, problem: 'recovery_code' }),
    'second factor, throttled': SecondFactorPage({ frame, loginHref, problem: 'throttled' }),
    'second factor, passkey refused': SecondFactorPage({ frame, loginHref, passkeyOptions, problem: 'passkey' }),
    'deleted account': RestorationPage({
      ...{ frame, username: name, deletedAt: facts.createdAt, erasedAt: facts.createdAt },
    }),
    'suspended account': SuspensionPage({ frame, username: name, suspension, isStep: true }),
    'suspended account, refused': SuspensionPage({
      ...{ frame, username: name, suspension, typed: name },
      errors: { confirm: frame.messages.account.deletion.confirmMissing },
    }),
    'suspended account, appealed and deleted': SuspensionPage({
      ...{ frame, username: name, isDeleted: true },
      suspension: { ...suspension, appeal: name, appealedAt: facts.createdAt },
    }),
    'recovery code used': RecoveryCodeUsedPage({ frame, codesLeft: 1, continueTo: '/developer' }),
    reauthenticate: ReauthenticatePage({ frame: signedIn, username: name, sealedForm: '-' }),
    'reauthenticate with everything': ReauthenticatePage({
      frame: signedIn,
      username: name,
      sealedForm: 'x',
      asksCode: true,
      passkeyOptions,
      rejection: 'password',
    }),
    'reauthenticate, wrong code': ReauthenticatePage({
      frame: signedIn,
      username: name,
      sealedForm: 'x',
      asksCode: true,
      rejection: 'code',
    }),
    'reauthenticate, throttled': ReauthenticatePage({
      frame: signedIn,
      username: name,
      sealedForm: 'x',
      rejection: 'throttled',
    }),
  };
}

function sampleProviderPages(language: SampleLanguage, name: string): Readonly<Record<string, VNode>> {
  const frame = frameIn(language);
  const signedIn = frameIn(language, { username: name, displayName: name });
  return {
    'login with providers': LoginPage({ frame, registerHref: '/register', providers: [{ id: 'work', name }] }),
    'reauthenticate with a provider': ReauthenticatePage({
      ...{ frame: signedIn, username: name, sealedForm: 'x', asksPassword: false, hasPassword: false },
      providers: [{ id: 'work', name }],
    }),
    'provider, link': ReauthenticatePage({
      ...{ frame, username: name, sealedForm: '-', link: { name, email: name, isProven: true } },
    }),
    'provider, unproven': ReauthenticatePage({
      ...{ frame, username: name, sealedForm: '-', asksPassword: false },
      link: { name, email: name, isProven: false },
    }),
    'register, with a provider': RegisterPage({ frame, loginHref: '/login', upstream: { name, email: name } }),
    'provider, refused': UpstreamProblemPage({ frame, problem: 'refused' }),
  };
}

const facts: ApplicationFacts = {
  isVerified: false,
  createdAt: new Date('2026-11-20T15:04:00Z'),
  isNew: true,
  minPeople: 0,
};

function sampleConsent(language: SampleLanguage, name: string) {
  const scopes = [
    ...['users', 'posts', 'openid', name].map((scope) => ({ scope, isOptional: false, reason: name })),
    ...['email', 'profile'].map((scope) => ({ scope, isOptional: true, reason: name })),
  ];
  return {
    frame: frameIn(language, { username: name, displayName: name }),
    application: {
      name,
      ownerUsername: name,
      redirectHost: name,
      facts,
      logo: `${'0'.repeat(32)}.png`,
      links: { website: name, terms: 'http://localhost:3000/terms', privacy: undefined },
    },
    account: { username: name, displayName: name },
    scopes,
    isAgent: false,
    isImplicit: false,
  };
}

function sampleConsentPages(language: SampleLanguage, name: string): Readonly<Record<string, VNode>> {
  const consent = sampleConsent(language, name);
  return {
    'device consent': DeviceConsentPage({ ...consent, userCode: 'WDJB-MJHT', username: name }),
    consent: ConsentPage(consent),
    'consent, implicit': ConsentPage({ ...consent, scopes: consent.scopes.slice(0, 2), isImplicit: true }),
    'consent, self-registered': ConsentPage({
      ...consent,
      application: { ...consent.application, ownerUsername: undefined },
    }),
    'consent, with a metadata document': ConsentPage({
      ...consent,
      application: { ...consent.application, ownerUsername: undefined, clientHost: name, isOnDevice: true },
    }),
    'consent, agent': ConsentPage({
      ...consent,
      application: { ...consent.application, ownerUsername: undefined, clientHost: name, isOnDevice: true },
      scopes: ['users:read', 'posts:read', 'posts', 'users'].map((scope) => ({ scope, isOptional: true })),
      isAgent: true,
    }),
    'consent, private scheme': ConsentPage({ ...consent, staysOpen: true }),
    'consent to nothing': ConsentPage({
      ...consent,
      application: {
        ...consent.application,
        facts: { ...facts, isVerified: true, isNew: false, minPeople: 1000 },
        isPublisherUnconfirmed: true,
      },
      scopes: [],
    }),
    'consent once more': ConsentPage({
      ...consent,
      scopes: consent.scopes.map((asked, index) => ({ ...asked, status: index < 2 ? 'allowed' : 'new' }) as const),
    }),
  };
}

export function sampleStepPages(language: SampleLanguage, name: string): Readonly<Record<string, VNode>> {
  const frame = frameIn(language);
  const signedIn = frameIn(language, { username: name, displayName: name });
  const { register } = frame.messages.signIn;
  const application = { name };
  const consent = sampleConsent(language, name);
  return {
    login: LoginPage({ frame, registerHref: '/register' }),
    'login, failed': LoginPage({ frame, registerHref: '/register', login: name, problem: 'failed', application }),
    'login, session ended': LoginPage({ frame, purpose: 'session-ended' }),
    'login, for an application': LoginPage({ frame, registerHref: '/register', purpose: 'create-application' }),
    'login, throttled': LoginPage({ frame, login: name, problem: 'throttled' }),
    ...sampleFactorPages(language, name),
    ...sampleProviderPages(language, name),
    register: RegisterPage({ frame, loginHref: '/login', application }),
    'register, for approval': RegisterPage({ frame, loginHref: '/login', asksReason: true, values: { reason: '-' } }),
    'register, with a proof': RegisterPage({ frame, loginHref: '/login', challenge: '{}' }),
    'register, closed': RegistrationNotice({ frame, loginHref: '/login', kind: 'closed' }),
    'register, by invitation': RegisterPage({ frame, loginHref: '/login', asksInvitation: true }),
    'register, sent': RegistrationNotice({ frame, loginHref: '/login', kind: 'pending' }),
    'register, refused': RegisterPage({
      frame,
      loginHref: '/login',
      values: { first_name: name, email: name },
      errors: { first_name: register.errors.firstNameMissing, email: register.errors.emailTaken },
      problem: inertText(name),
    }),
    'select account': SelectAccountPage({ frame: signedIn, application, account: consent.account }),
    logout: LogoutPage({ frame: signedIn, username: name }),
    'logout for an application': LogoutPage({
      frame: signedIn,
      username: name,
      application,
      form: { action: '/oauth/logout/confirm', hidden: { state: name } },
      canReturn: true,
    }),
    'signed out': SignedOutPage({ frame }),
    'device code': UserCodePage({ frame: signedIn }),
    'device connected': DeviceDonePage({ frame: signedIn, done: 'allowed' }),
    'device code, unknown': UserCodePage({ frame: signedIn, userCode: name, problem: 'unknown' }),
    'device code, throttled': UserCodePage({ frame: signedIn, userCode: name, problem: 'throttled' }),
    ...sampleConsentPages(language, name),
  };
}

/** Typed so that a missing kind does not compile. */
const errorKinds: Readonly<Record<ErrorKind, true>> = {
  'not-found': true,
  'stale-form': true,
  'no-cookies': true,
  'cross-site': true,
  'bad-form': true,
  'bad-authorization': true,
  'bad-sign-out': true,
  'playground-answer': true,
  'ended-interaction': true,
  'too-many-attempts': true,
  forbidden: true,
  unavailable: true,
  internal: true,
};

export function sampleErrorPages(language: SampleLanguage, name: string): Readonly<Record<string, VNode>> {
  const frame = frameIn(language);
  const oauthError = { code: name, description: name };
  const destination = { frame, application: { name }, code: 'invalid_scope', description: name, host: name };
  const form = { href: 'http://localhost:3000/callback' };
  const kinds = Object.keys(errorKinds) as readonly ErrorKind[]; // The keys of the type.
  return {
    ...Object.fromEntries(kinds.map((kind) => [`error: ${kind}`, ErrorPage({ frame, kind })])),
    'stale form': ErrorPage({ frame: frameIn(language, ada), kind: 'stale-form', continueTo: '?a=b' }),
    'bad authorization': ErrorPage({
      frame: { ...frame, requestId: '0e8f1f0e' },
      kind: 'bad-authorization',
      oauthError,
      application: { name, explanation: '/developer/applications/a/activity?request=b' },
    }),
    'error for the application': ErrorDestinationPage({ ...destination, href: 'http://localhost:3000/?error=x' }),
    returning: ReturningPage({ ...destination, redirectUri: form.href, fields: { code: name, state: name } }),
    'error for the application, by form': ErrorDestinationPage({
      ...destination,
      ...form,
      fields: { error: 'invalid_scope', state: name },
    }),
    'error with a way back': ErrorPage({ frame, kind: 'internal', returnTo: { href: name, host: name } }),
  };
}
