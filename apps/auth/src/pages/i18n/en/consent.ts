import type { RichText } from '../rich-text.ts';

/** Texts of the page on which a person lets an application in. */
export const consent = {
  title: (application: string) => `Allow ${application}?`,
  heading: (application: RichText): RichText => [application, ' would like to use your account'],
  signedInAs: (username: RichText): RichText => ['You are signed in as ', username, '.'],
  notYou: 'Not you? Use another account',
  madeBy: 'Made by',
  returnsTo: 'Sends you back to',
  required: 'It will be able to',
  optional: 'If you like, also',
  reason: (reason: RichText): RichText => ['It says: “', reason, '”'],
  before: 'You let this application in before. What it asks for beyond that is marked as new.',
  status: { new: 'new', allowed: 'already allowed' },
  nothing: 'It asks for no permission to read or change anything.',
  implicit:
    'This application receives its access in the address bar of your browser, where other programs may see it. That is less safe than the usual way, so it has to come back for more every 10 minutes.',
  publisherUnconfirmed: 'e-mail address not confirmed',
  unchecked: (service: string, owner: RichText): RichText => [
    service,
    ' does not check applications. Allow this one only if you trust ',
    owner,
    '.',
  ],
  deny: 'Deny',
  allow: 'Allow',
  later: 'You can disconnect it at any time in your account, under “Connected applications”.',
};
