import type { RichText } from '../rich-text.ts';

/** Texts of the consent page. */
export const consent = {
  title: (application: string) => `Authorize ${application}?`,
  heading: (application: RichText): RichText => [application, ' wants to access your account'],
  signedInAs: (username: RichText): RichText => ['You are signed in as ', username, '.'],
  notYou: 'Not you? Use a different account',
  madeBy: 'Developer',
  returnsTo: 'Returns you to',
  required: 'This app will be able to',
  optional: 'Optional permissions',
  /** The request is for the endpoint of agents. Its permissions are in groups. */
  agent: {
    notice:
      'This is an agent: a program that reads and acts as you by itself. Grant only what it needs, for as long as it needs it.',
    groups: { reading: 'Read', proposing: 'Propose', writing: 'Publish and delete', account: 'Your account' },
  },
  reason: (reason: RichText): RichText => ['The developer says: “', reason, '”'],
  before: 'You authorized this app before. New permissions are marked.',
  status: { new: 'new', allowed: 'already granted' },
  /** What was granted before. `shared`: the new expiry applies to it, too; `separate`: it does not. */
  earlier: {
    title: 'This app already has access',
    until: (minute: string) => `until ${minute}`,
    endless: 'until you revoke it',
    shared: 'The expiry you choose below applies to these permissions, too.',
    separate: 'What you choose below does not change these permissions.',
    keep: (minute: string) => `As before: ${minute}`,
  },
  /** APIs of developers, which are not ours. */
  outside: {
    describes: (description: RichText): RichText => ['The developer of the API says: “', description, '”'],
    notice: (api: RichText, owner: RichText, service: string): RichText => [
      api,
      ' is not part of ',
      service,
      '. It belongs to ',
      owner,
      ', and ',
      service,
      ' has not checked it. It learns your username.',
    ],
    unproven: (owner: RichText): RichText => [' It is not verified that ', owner, ' operates this address.'],
  },
  nothing: 'This app does not ask to read or change anything.',
  implicit:
    'This app receives its access token in your browser’s address bar, where other programs might see it. This is less secure than the usual way, so its access expires after 10 minutes.',
  publisherUnconfirmed: 'unconfirmed e-mail address',
  trust: (owner: RichText): RichText => ['Authorize this app only if you trust ', owner, '.'],
  builtIn: (service: string) => `part of ${service}`,
  builtInTrust: (service: string) =>
    `This is the tool of the API reference of ${service}. Authorize it only if you have just selected “Authorize” there.`,
  selfRegistered: 'unknown: this app registered itself',
  unverified: (service: string, host: RichText): RichText => [
    service,
    ' does not know who made this app, because it registered itself. Authorize it only if you have just started this yourself and trust ',
    host,
    '.',
  ],
  /** `host`: of the URL that is the `client_id`. */
  documented: (host: RichText): RichText => [host, ', not verified'],
  unverifiedHost: (service: string, host: RichText): RichText => [
    service,
    ' has not verified who made this app. It says that it comes from ',
    host,
    '. Authorize it only if you have just started this yourself and trust ',
    host,
    '.',
  ],
  onDevice: (host: RichText): RichText => [
    'It runs on your device, where other programs can claim to come from ',
    host,
    ', too.',
  ],
  deny: 'Deny',
  allow: 'Authorize',
  later: 'You can revoke access at any time in your account, under “Connected apps”.',
  /** The page that posts the response to the application (`response_mode=form_post`). */
  returning: {
    title: (application: string) => `Returning to ${application}`,
    heading: (application: RichText): RichText => ['Returning to ', application],
    text: (host: RichText): RichText => ['If you are not taken to ', host, ' automatically, select Continue.'],
    submit: 'Continue',
  },
};
