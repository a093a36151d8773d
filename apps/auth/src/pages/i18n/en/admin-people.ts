import { countingIn } from '../counted.ts';
import type { RichText } from '../text-types.ts';

const counted = countingIn('en');

/** Texts of the pages about people, for operators. */
export const people = {
  title: 'People',
  field: 'Find a person',
  hint: 'An ID, the start of a username or e-mail address, or a part of a name.',
  states: { active: 'Active', limited: 'Limited', suspended: 'Suspended', deleted: 'Deleted' },
  operator: 'Administrator',
  unconfirmed: 'Address not confirmed',
  registered: (day: string) => `registered ${day}`,
  anyState: 'Any',
  fields: { domain: 'E-mail domain', network: 'Network', since: 'Registered since', state: 'State' },
  hints: {
    domain: 'With its sub-domains, such as bad.example.',
    network: 'Seen in the audit log, such as 192.0.2.0/24.',
  },
  errors: {
    domain: 'Enter a domain such as bad.example.',
    network: 'Enter a network such as 192.0.2.0/24 or 2001:db8::/32 (at least /8 or /16).',
  },
  bulk: {
    intro: 'Select people and an action. The next page shows whom it affects, and asks for the reason.',
    all: 'Select everyone on this page',
    none: 'Select at least one person.',
    chosen: (count: number) => (count === 1 ? '1 account selected' : `${String(count)} accounts selected`),
    leftOut: (count: number) => (count === 1 ? '1 account left out' : `${String(count)} accounts left out`),
    leftOutText: 'Administrators, and accounts whose state does not allow this.',
    changedSince: 'The accounts below were changed in the meantime, so nothing was done to them. All others are done.',
    back: 'Back to all people',
    done: {
      limit: 'The accounts are limited.',
      unlimit: 'The accounts are no longer limited.',
      suspend: 'The accounts are suspended.',
      restore: 'The accounts are active again.',
      delete: 'The accounts are deleted.',
    },
  },
};

export const person = {
  facts: {
    id: 'ID',
    email: 'E-mail address',
    state: 'State',
    registered: 'Registered',
    invitedBy: 'Invited by',
    invited: 'People invited',
    factors: 'Two-factor authentication',
    posts: 'Posts and followers',
    applications: 'Applications',
    limitReason: 'Why it is limited',
    suspensionReason: 'Reason shown to the person',
    appeal: 'Appeal',
  },
  confirmed: 'confirmed',
  unconfirmed: 'not confirmed',
  by: (username: string) => `by ${username}`,
  limitedSince: (day: string) => `limited since ${day}`,
  suspendedSince: (day: string) => `suspended since ${day}`,
  deletedSince: (day: string) => `deleted on ${day}; can be restored for 14 days`,
  protected: 'protected',
  noFactors: 'none',
  passkeys: (count: number) => (count === 1 ? '1 passkey' : `${String(count)} passkeys`),
  authenticator: 'authenticator app',
  postsAndFollowers: (posts: number, followers: number) =>
    [
      counted(posts, { one: (count) => `${count} post`, other: (count) => `${count} posts` }),
      counted(followers, { one: (count) => `${count} follower`, other: (count) => `${count} followers` }),
    ].join(', '),
  sessions: 'Sessions',
  noSessions: 'Not signed in anywhere.',
  grants: 'Connected apps',
  noGrants: 'No connected apps.',
  acts: 'Actions',
  isOperator: (command: RichText): RichText => [
    'This account is an administrator. Only the command line can change it, after ',
    command,
    '.',
  ],
  accessTexts: {
    'end-session': {
      label: 'End this session',
      text: 'Signs the person out in this browser. Connected apps keep their access.',
      submit: 'End session',
      done: 'The session has ended.',
    },
    'end-grant': {
      label: 'Disconnect this app',
      text: 'Revokes the access of this app to the account, with its tokens. The person can connect it again.',
      submit: 'Disconnect app',
      done: 'The app is disconnected.',
    },
  },
  actTexts: {
    suspend: {
      label: 'Suspend',
      text: 'Blocks signing in, and ends all sessions and tokens within a second. Nobody else sees the account and its posts until it is restored.',
      submit: 'Suspend account',
      done: 'The account is suspended.',
    },
    limit: {
      label: 'Limit',
      text: 'Only followers come across the posts; others see them by their address. Search, the public timeline, trends, hashtags and suggestions leave them out, and only followers are notified. The person is not told.',
      submit: 'Limit account',
      done: 'The account is limited.',
    },
    unlimit: {
      label: 'End the limit',
      text: 'Shows the posts everywhere again.',
      submit: 'End the limit',
      done: 'The account is no longer limited.',
    },
    restore: {
      label: 'Restore',
      text: 'Lifts a suspension or undoes a deletion. Old sessions and tokens stay revoked.',
      submit: 'Restore account',
      done: 'The account is active again.',
    },
    delete: {
      label: 'Delete',
      text: 'Hides the account and ends all sessions and tokens, as if its owner had deleted it. It can be restored for 14 days; then it is erased.',
      submit: 'Delete account',
      done: 'The account is deleted.',
    },
    verify: {
      label: 'Verify',
      text: 'Shows the verified badge until the name or username changes. Check who the person is first.',
      submit: 'Mark as verified',
      done: 'The account is verified.',
    },
    unverify: {
      label: 'Remove the badge',
      text: 'Removes the verified badge.',
      submit: 'Remove verified badge',
      done: 'The account is no longer verified.',
    },
    'end-access': {
      label: 'End all access',
      text: 'Signs the person out everywhere and disconnects all apps. They can sign in again.',
      submit: 'End sessions and tokens',
      done: 'All sessions and tokens have ended.',
    },
    'resend-confirmation': {
      label: 'Resend the confirmation mail',
      text: 'Sends another link that confirms the e-mail address.',
      submit: 'Send the link again',
      done: 'The link will be sent in a moment.',
    },
    'reset-factors': {
      label: 'Reset two-factor authentication',
      text: 'Removes all passkeys, the authenticator app and the recovery codes, and ends all sessions and tokens. The person can then sign in with the password alone, and gets an e-mail. Make sure that the request really comes from them.',
      submit: 'Reset two-factor authentication',
      done: 'Two-factor authentication is reset.',
    },
  },
};
