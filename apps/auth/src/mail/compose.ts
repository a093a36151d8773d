/** Turns a row of `mail` into a message. The only place that creates links for mail. */
import { findClientHost } from '@linnet/applications/application/application';
import { apiExplorerId } from '@linnet/applications/application/built-in-store';
import { findLanguage } from '@linnet/contract/languages';
import type { Language } from '@linnet/contract/languages';
import type { Queryable } from '@linnet/db/statement/transaction';
import type { Secret } from '@linnet/service/config/secret';
import { networkOf } from '@linnet/service/http/address';
import { findImport } from '@linnet/social/import/import-store';
import { inertText } from '@linnet/ui/inert-text';

import type { Messages } from '../pages/i18n/en/en.ts';
import { catalogues } from '../pages/i18n/messages.ts';
import { findBrowser } from '../pages/throttle/known-browser.ts';
import { pagePaths } from '../pages/views/page-paths.ts';
import {
  composeApplicationNotice,
  composeImportEnded,
  composeWebhookOff,
  composeFactorChanged,
} from './change-notices.ts';
import { composeContentDeleted, composeReportDecided, describeSuspending } from './decision-notice.ts';
import { changeSeconds, renewEmailChange } from './email-change-store.ts';
import {
  canReach,
  composeDeleted,
  composeRestored,
  composeSuspended,
  composeSuspensionEnded,
} from './hiding-notice.ts';
import { deriveToken, hashToken, saveLink } from './link-store.ts';
import type { LinkPurpose, NewLink } from './link-store.ts';
import { findAddressee, findAddresseeByEmail, isAddressTaken } from './mail-store.ts';
import type { Addressee, ClaimedMail, MailKind } from './mail-store.ts';
import type { Message } from './message-html.tsx';
import {
  findDecision,
  findGrantedApplication,
  findProposed,
  findSignInSession,
  findSuspendingDecision,
  rememberDevice,
} from './notice-store.ts';
import type { GrantedApplication } from './notice-store.ts';

export interface ComposeOptions {
  readonly db: Queryable;
  readonly baseUrl: string;
  /** The name that people see. */
  readonly serviceName: string;
  /** For questions: `mailto:` and the address of the operator. */
  readonly contact?: string | undefined;
  /** Derives the tokens of links. */
  readonly secret: Secret;
}

export interface Composed {
  readonly to: string;
  readonly language: Language;
  readonly message: Message;
}

/** The input of a composer. */
interface ComposeInput extends ComposeOptions {
  readonly mail: ClaimedMail;
  readonly person: Addressee;
  readonly messages: Messages;
  /** With a leading @. */
  readonly username: string;
  readonly time: string;
}

/** `to` defaults to the address of the account. */
type ComposedMessage = Omit<Message, 'footer'> & { readonly to?: string };
/** Returns undefined if the message is no longer needed. */
type Compose = (work: ComposeInput) => Promise<ComposedMessage | undefined>;

const hour = 3600;
const lifetimes: Readonly<Record<LinkPurpose, number>> = {
  verify_email: 24 * hour,
  change_email: changeSeconds,
  reset_password: hour / 2,
};

/** Undefined if the message is no longer needed or its recipient no longer exists. */
export async function composeMail(options: ComposeOptions, mail: ClaimedMail): Promise<Composed | undefined> {
  if (mail.kind === 'registration_refused') return composeRegistrationRefused(options, mail);
  const person = await findPerson(options.db, mail);
  if (person === undefined || !canReach(person, mail)) return undefined;
  const language = findLanguage(person.language) ?? 'en';
  const messages = catalogues[language];
  const username = `@${person.username}`;
  const time = messages.formatMinute(mail.createdAt);
  const composed = await composers[mail.kind]({ ...options, mail, person, messages, username, time });
  if (composed === undefined) return undefined;
  const { to = person.email, ...message } = composed;
  return { to, language, message: { ...message, footer: footerOf(options, messages, to) } };
}

function footerOf({ serviceName, baseUrl, contact }: ComposeOptions, { mail }: Messages, to: string): string {
  const parts = [
    mail.footer(serviceName, baseUrl, inertText(to)),
    contact === undefined ? [] : mail.questions(decodeURI(contact.replace(/^mailto:/, ''))),
  ];
  return parts.flat().join(' ');
}

/** The only message to somebody without an account. */
function composeRegistrationRefused(options: ComposeOptions, { recipient: to, detail }: ClaimedMail): Composed {
  const language = findLanguage(String(detail['language'])) ?? 'en';
  const messages = catalogues[language];
  const { subject, text, after } = messages.mail.registrationRefused;
  const paragraphs = [text(`@${String(detail['username'])}`, options.serviceName)];
  const message = {
    subject: subject(options.serviceName),
    paragraphs,
    after,
    footer: footerOf(options, messages, to),
  };
  return { to, language, message };
}

async function findPerson(db: Queryable, { accountId, recipient }: ClaimedMail): Promise<Addressee | undefined> {
  return accountId === null ? await findAddresseeByEmail(db, recipient) : await findAddressee(db, accountId);
}

/** Creates the link of this mail: the URL of a page with a token. */
async function makeLink(work: ComposeInput, of: Pick<NewLink, 'purpose' | 'email' | 'changeId'>): Promise<string> {
  const token = deriveToken(work.secret, work.mail.id);
  const tokenSha256 = hashToken(token);
  if (tokenSha256 === undefined) throw new TypeError('the derived token is invalid');
  const accountId = work.person.id;
  await saveLink(work.db, { ...of, tokenSha256, accountId, lifetimeSeconds: lifetimes[of.purpose] });
  const path = of.purpose === 'reset_password' ? pagePaths.resetPassword : pagePaths.verifyEmail;
  return `${work.baseUrl}${path}?token=${token}`;
}

/** To a new account: its link confirms the address. Of what the sender of the registration chose, only the username is in it. */
async function confirmAddress(
  work: ComposeInput,
  { subject, text, after }: Pick<Messages['mail']['verifyEmail'], 'subject' | 'text' | 'after'>,
): Promise<ComposedMessage | undefined> {
  const { person, mail, messages, serviceName, username } = work;
  if (person.isEmailVerified || person.email.toLowerCase() !== mail.recipient.toLowerCase()) return undefined;
  const href = await makeLink(work, { purpose: 'verify_email', email: person.email });
  return {
    subject: subject(serviceName),
    paragraphs: [text(username, serviceName)],
    action: { label: messages.mail.verifyEmail.action, href },
    after,
  };
}

const composers: Readonly<Record<Exclude<MailKind, 'registration_refused'>, Compose>> = {
  verify_email: (work) => confirmAddress(work, work.messages.mail.verifyEmail),
  registration_approved: (work) => confirmAddress(work, work.messages.mail.registrationApproved),
  reset_password: async (work) => {
    const { subject, text, action, after } = work.messages.mail.resetPassword;
    const href = await makeLink(work, { purpose: 'reset_password', email: work.person.email });
    return {
      subject: subject(work.serviceName),
      paragraphs: [text(work.username, work.serviceName)],
      action: { label: action, href },
      after,
    };
  },
  change_email: async (work) => {
    const { db, mail, person, messages, serviceName, username } = work;
    const changeId = Number(mail.detail['change']);
    const to = await renewEmailChange(db, changeId, person.id);
    if (to === undefined) return undefined;
    // The person who asked cannot see the difference.
    if (await isAddressTaken(db, to, person.id)) return await notifyOwner(work);
    const { subject, text, action, after } = messages.mail.changeEmail;
    const href = await makeLink(work, { purpose: 'change_email', email: to, changeId });
    return {
      to,
      subject: subject(serviceName),
      paragraphs: [text(username, serviceName)],
      action: { label: action, href },
      after,
    };
  },
  email_change_asked: ({ mail, messages, baseUrl, serviceName, username }) => {
    const { subject, text, action, after } = messages.mail.emailChangeAsked;
    const email = inertText(String(mail.detail['email']));
    return Promise.resolve({
      to: mail.recipient,
      subject: subject(serviceName),
      paragraphs: [text(username, serviceName, email), ...after],
      action: { label: action, href: baseUrl + pagePaths.password },
      after: [],
    });
  },
  email_changed: ({ mail, messages, baseUrl, serviceName, username, time }) => {
    const { subject, text, action, after } = messages.mail.emailChanged;
    return Promise.resolve({
      to: mail.recipient,
      subject: subject(serviceName),
      paragraphs: [text(username, serviceName, time), ...after],
      action: { label: action, href: baseUrl + pagePaths.email },
      after: [],
    });
  },
  password_changed: ({ messages, baseUrl, serviceName, username, time }) => {
    const { subject, text, action, after } = messages.mail.passwordChanged;
    return Promise.resolve({
      subject: subject(serviceName),
      paragraphs: [text(username, serviceName, time), ...after],
      action: { label: action, href: baseUrl + pagePaths.forgotPassword },
      after: [],
    });
  },
  sign_in_attempts: ({ messages, baseUrl, serviceName, username, time }) => {
    const { subject, text, action, after } = messages.mail.signInAttempts;
    return Promise.resolve({
      subject: subject(serviceName),
      paragraphs: [text(username, serviceName, time), ...after],
      action: { label: action, href: baseUrl + pagePaths.security },
      after: [],
    });
  },
  new_sign_in: async ({ db, mail, person, messages, baseUrl, serviceName, username, time }) => {
    const session = await findSignInSession(db, String(mail.detail['session']), person.id);
    if (session === undefined) return undefined;
    const { browser = '', system = '' } = findBrowser(session.userAgent) ?? {};
    const traits = [browser, system, nearbyOf(session.address)];
    if (!(await rememberDevice(db, { accountId: person.id, traits, mailId: mail.id }))) return undefined;
    const { subject, text, where, unknownAddress, action, after } = messages.mail.newSignIn;
    const device = nameBrowser(messages, browser, system);
    return {
      subject: subject(serviceName),
      paragraphs: [
        text(username, serviceName, time),
        where(device, inertText(session.address) || unknownAddress),
        ...after,
      ],
      action: { label: action, href: baseUrl + pagePaths.sessions },
      after: [],
    };
  },
  new_application: async ({ db, mail, person, messages, baseUrl, serviceName, username, time }) => {
    const application = await findGrantedApplication(db, String(mail.detail['grant']), person.id);
    if (application === undefined) return undefined;
    const { subject, time: when, action, after } = messages.mail.newApplication;
    return {
      subject: subject(serviceName),
      paragraphs: [
        introduceApplication(messages, application, { username, serviceName }),
        when(serviceName, time),
        ...after,
      ],
      action: { label: action, href: baseUrl + pagePaths.connectedApplications },
      after: [],
    };
  },
  account_deleted: (work) => Promise.resolve(composeDeleted(work)),
  account_restored: (work) => Promise.resolve(composeRestored(work)),
  account_suspended: async (work) => {
    const decision = await findSuspendingDecision(work.db, work.person.id);
    return composeSuspended({ ...work, decided: describeSuspending(work.messages, decision) });
  },
  report_decided: (work) => composeDecision(work, composeReportDecided),
  content_deleted: (work) => composeDecision(work, composeContentDeleted),
  suspension_ended: (work) => Promise.resolve(composeSuspensionEnded(work)),
  application_notice: (work) => Promise.resolve(composeApplicationNotice(work)),
  webhook_off: (work) => Promise.resolve(composeWebhookOff(work)),
  proposals: async ({ db, mail, person, messages, baseUrl, serviceName, username }) => {
    const proposed = person.isEmailVerified ? await findProposed(db, person.id, mail) : [];
    if (proposed.length === 0) return undefined;
    const { subject, text, from, calls, action, after } = messages.mail.proposals;
    const lines = [...Map.groupBy(proposed, ({ clientId }) => clientId).values()].map((ofOne) =>
      from(inertText(ofOne[0]?.name ?? ''), ofOne.map(({ call, count }) => calls[call](count)).join(', ')),
    );
    return {
      subject: subject(serviceName),
      paragraphs: [text(username, serviceName), lines.join('\n')],
      action: { label: action, href: `${baseUrl + pagePaths.client}/drafts` },
      after: [after(baseUrl + pagePaths.notifications)],
    };
  },
  import_ended: async (work) => {
    const row = await findImport(work.db, work.person.id, Number(work.mail.detail['import']));
    return work.person.isEmailVerified ? composeImportEnded({ ...work, row }) : undefined;
  },
  factor_changed: (work) => Promise.resolve(composeFactorChanged(work)),
};

async function composeDecision(
  work: ComposeInput,
  compose: typeof composeReportDecided,
): Promise<ComposedMessage | undefined> {
  const decision = await findDecision(work.db, Number(work.mail.detail['case']));
  return decision && compose({ ...work, decision });
}

/** The address belongs to another account: only its owner is notified. */
async function notifyOwner({ db, mail, serviceName }: ComposeInput): Promise<ComposedMessage | undefined> {
  const owner = await findAddresseeByEmail(db, mail.recipient);
  if (owner === undefined || owner.deletedAt !== null || owner.suspendedAt !== null) return undefined;
  const { subject, text, after } = catalogues[findLanguage(owner.language) ?? 'en'].mail.addressInUse;
  return {
    to: owner.email,
    subject: subject(serviceName),
    paragraphs: [text(`@${owner.username}`, serviceName)],
    after,
  };
}

/** Providers reassign addresses within a network, so the last part of an IPv4 address does not matter. */
function nearbyOf(address: string): string {
  const network = networkOf(address);
  return network.includes('.') ? network.slice(0, network.lastIndexOf('.')) : network;
}

function nameBrowser({ account }: Messages, browser: string, system: string): string {
  const { unknownBrowser, browserOn } = account.sessions;
  if (browser === '') return unknownBrowser;
  return system === '' ? browser : browserOn(browser, system);
}

function introduceApplication(
  { mail }: Messages,
  { clientId, name, owner }: GrantedApplication,
  { username, serviceName }: { readonly username: string; readonly serviceName: string },
): string {
  const { text, builtIn, selfRegistered, documented } = mail.newApplication;
  const shown = inertText(name);
  if (owner !== null) return text(shown, `@${owner}`, username);
  if (clientId === apiExplorerId) return builtIn(serviceName, shown, username);
  const host = findClientHost(clientId);
  return host === undefined ? selfRegistered(shown, username) : documented(shown, host, username);
}
