import type { RichText, SettingMessages } from '../text-types.ts';

/** Texts of protocol settings. */
export const settings: SettingMessages = {
  advanced: 'Advanced settings',
  limitedTo: (seconds) =>
    `The administrators of this service allow at most ${String(seconds)} seconds. No token lasts longer, whatever you enter here.`,
  texts: {
    strict: {
      label: 'Strict (FAPI 2.0)',
      text: 'For high-security applications. Requires pushed authorization requests, PKCE, DPoP and client authentication with keys. Turns off the device flow and response_type=token, and signs ID tokens with ES256. Refresh tokens do not rotate, because they are bound to your key. You cannot change these settings while it is on.',
    },
    grantTypes: {
      label: 'Grant types',
      text: 'How the application may get tokens. Turn off what it does not use.',
    },
    requirePkce: {
      label: 'Require PKCE',
      text: 'Recommended. Refuses authorization requests without a code_challenge (S256), so that a stolen code is useless. Turn it off only for clients that do not support PKCE. Confidential applications only; the others always need it.',
    },
    requirePushedAuthorizationRequests: {
      label: 'Require pushed authorization requests',
      text: 'Your application must send each authorization request to /oauth/par first, so no one can change it in the browser.',
    },
    dpopBoundAccessTokens: {
      label: 'Require DPoP',
      text: 'Issues only tokens that are bound to a key of the application, so that a stolen token is useless.',
    },
    tokenEndpointAuthSigningAlg: {
      label: 'Algorithm of client assertions',
      text: 'For applications that authenticate with keys (private_key_jwt). With a choice other than “any”, all other algorithms are refused.',
    },
    acceptEndpointAudience: {
      label: 'Accept the token endpoint as audience',
      text: 'For applications that authenticate with keys (private_key_jwt) and whose library sends the token endpoint as “aud” (Spring Security, Authlib and others). The issuer is safer: an assertion for it is of no use elsewhere. Not with “Strict”.',
    },
    accessTokenLifetime: {
      label: 'Lifetime of access tokens, in seconds',
      text: 'From 60 to 3600. Leave this empty for the default of one hour.',
    },
    refreshTokenLifetime: {
      label: 'Lifetime of unused refresh tokens, in seconds',
      text: 'From 300 to 31536000. Leave this empty for the default of 30 days.',
    },
    idTokenSignedResponseAlg: {
      label: 'Signature of ID tokens',
      text: 'Choose ES256 only if every client that checks the ID tokens supports it. Earlier ID tokens stay valid.',
    },
    postLogoutRedirectUris: {
      label: 'Addresses after signing out',
      text: 'Where people are sent after your application has sent them to /oauth/logout. Enter one URI per line, exactly as your application sends it, without the state parameter.',
    },
    backchannelLogoutUri: {
      label: 'Back-channel logout URI',
      text: 'When someone who signed in to this application signs out, we send a logout token here. Use https and a public address.',
    },
    backchannelLogoutSessionRequired: {
      label: 'Require the session ID in logout tokens',
      text: 'Some libraries ask for this. Logout tokens always contain sid.',
    },
  },
  choices: {
    authorization_code: { label: 'Authorization code', text: 'People sign in and authorize it in the browser.' },
    any: { label: 'Any', text: 'ES256, PS256, EdDSA or, unless strict, RS256.' },
    ES256: { label: 'ES256', text: 'ECDSA with P-256.' },
    PS256: { label: 'PS256', text: 'RSA-PSS.' },
    EdDSA: { label: 'EdDSA', text: 'Ed25519 keys.' },
    RS256: { label: 'RS256', text: 'RSA with PKCS #1 v1.5.' },
    refresh_token: { label: 'Refresh token', text: 'It stays connected without asking people again.' },
    client_credentials: {
      label: 'Client credentials',
      text: 'It gets tokens for itself. Confidential applications only.',
    },
    'urn:ietf:params:oauth:grant-type:device_code': {
      label: 'Device code',
      text: 'For televisions, consoles and command-line tools: people enter a code on another device. Anyone who knows the client ID can start this, so turn it on only if you need it.',
    },
  },
  problems: {
    'unknown-choice': (value) => `“${value}” is not a valid choice.`,
    'not-for-type': (value) => `Applications of this type cannot use “${value}”.`,
    'not-a-number': (value) => `“${value}” is not a whole number.`,
    'out-of-range': (value) => `${value} is not within the allowed range.`,
    'bad-address': (value) => `${value} is not an allowed address.`,
    'too-many': (value) => `Enter no more than ${value}.`,
    'not-with-strict': () => 'A strict application cannot have this value. Turn “Strict” off first.',
    'needs-keys': () => 'Strict applications authenticate with keys. Give the application keys first.',
  },
  on: 'on',
  off: 'off',
  standard: 'default',
};

/** Texts about how an application authenticates. */
export const authentication = {
  keysTitle: 'Use keys instead of secrets',
  otherKeysTitle: 'Use other keys',
  keysText:
    'The application then signs its requests with its own keys (private_key_jwt). All its secrets stop working immediately, and its access tokens are revoked.',
  otherKeysText: 'The current keys stop working immediately, and the application’s access tokens are revoked.',
  keys: 'Public keys',
  keysHint:
    'An https URL that serves them, such as https://app.example.com/jwks.json, or a JWK Set as JSON. ES256, PS256, EdDSA or RS256.',
  setKeys: 'Use these keys',
  keysUsed: 'The application now authenticates with these keys only.',
  secretTitle: 'Use a secret instead of keys',
  secretText:
    'The keys stop working immediately, and the application’s access tokens are revoked. The secret is shown only once.',
  setSecret: 'Create a secret',
  hasSecret: 'The application already has a secret.',
};

const count = new Intl.NumberFormat('en');
const times = (uses: number): string => (uses === 1 ? 'once' : `${count.format(uses)} times`);

/** Texts of the secrets of an application. */
export const secrets = {
  title: 'Secrets',
  intro:
    'To rotate a secret without downtime, add a new one, switch your servers to it, then retire the old one. Retiring a secret revokes all access tokens; your servers get new ones with the other secret.',
  none: 'No active secret. Add one, or the application cannot request tokens.',
  called: (day: string) => `Secret from ${day}`,
  created: (day: string) => `Added on ${day}`,
  neverUsed: 'never used',
  used: (uses: number, minute: string) => `used ${times(uses)}, most recently on ${minute}`,
  ends: (minute: string) => `expires on ${minute}`,
  noEnd: 'does not expire',
  soon: 'Expires soon',
  endsTag: (day: string) => `A secret expires on ${day}`,
  endingSoon: (name: RichText, minute: string): RichText => [
    'The secret “',
    name,
    `” expires on ${minute}. Add another and switch your servers to it before then, or their requests will fail.`,
  ],
  safe: 'Safe to retire',
  unusedSince: (day: string) => `Not used since ${day}`,
  neverUsedSince: (day: string) => `Not used since it was added on ${day}`,
  usedSince: (uses: number, day: string) => `used ${times(uses)} since ${day}`,
  safeReason: (unused: string, other: RichText, used: string): RichText => [
    `${unused}, while “`,
    other,
    `” is in use: ${used}. A job that requests tokens less than once a week may still need this one.`,
  ],
  rename: 'Rename',
  saveName: 'Save name',
  renamed: 'Secret renamed.',
  renameGone: 'This secret has expired. It was not renamed.',
  retire: 'Retire',
  retireText:
    'Requests with this secret fail at once, and every access token of the application is revoked. You cannot undo this.',
  retireNow: 'Retire this secret',
  nowLast: 'This is now the only active secret, so it was not retired. Confirm once more to retire it.',
  last: 'This is the only active secret. If you retire it, the application cannot get tokens until you add another one.',
  enough: (most: number) => `An application can have up to ${String(most)} secrets. Retire one before you add another.`,
  ended: (number: number) => (number === 1 ? '1 expired secret' : `${String(number)} expired secrets`),
  endedText: 'For 30 days, “Why requests failed” reports requests that still use one of these.',
  endedOn: (minute: string) => `expired on ${minute}`,
  manage: 'Manage credentials',
  addTitle: 'Add a secret',
  add: 'Add secret',
  name: 'Secret name',
  nameHint: (called: string) => `For example, the server that will use it. If empty, the name will be “${called}”.`,
  lifetime: 'Expiry',
  lifetimes: {
    never: 'No expiry',
    '90-days': '90 days',
    '1-year': '1 year',
    date: 'Custom date',
  },
  lastDay: 'Expiry date',
  lastDayHint: 'The secret expires at the end of this day, UTC.',
  lastDayOptional: 'for “Custom date”',
  errors: {
    nameTooLong: 'Secret name must be 60 characters or fewer.',
    nameUnprintable: 'The secret name contains a character that cannot be displayed.',
    lifetimeUnknown: 'Choose an expiry.',
    dayMissing: 'Enter an expiry date.',
    dayMalformed: 'Enter a date such as 2027-02-28.',
    dayPast: 'This date is in the past. Enter a future date.',
    dayTooFar: 'The expiry date must be within ten years. Enter an earlier date, or choose “No expiry”.',
  },
};

/** Texts of the page of an application's webhooks. */
export const webhooks = {
  intro:
    'We can send your application a message when something happens to the people who authorized it. A message contains ids; read the objects with the API.',
  guide: 'How to receive webhooks',
  none: 'No endpoint yet.',
  listen: 'Without a public address',
  listenText:
    'While you develop, this command sends new events to a server on your computer, signed as webhooks. It needs Node and the client secret.',
  add: 'Add an endpoint',
  addSubmit: 'Check and add',
  url: 'URL',
  urlHint: 'A public https or http address. We send a challenge to it right away, which it must return as text.',
  events: 'Events',
  eventsHint: 'Sent only for people who granted posts:read or posts; for follows, users:read or users.',
  eventNames: {
    'mention.created': 'Someone mentions the person',
    'quote.created': 'The person quotes a post, or someone quotes theirs',
    'comment.created': 'The person comments, or someone replies to their post or comment',
    'comment.deleted': 'One of those comments is deleted, or one that mentioned the person',
    'like.created': 'The person likes a post, or someone likes theirs',
    'like.deleted': 'One of those likes is removed',
    'repost.created': 'The person reposts a post, or someone reposts theirs',
    'repost.deleted': 'One of those reposts is removed',
    'post.created': 'The person publishes a post',
    'post.edited': 'A post by the person is edited, or an edit removes a mention of the person',
    'post.deleted': 'A post by the person is deleted, or one that mentioned the person',
    'follow.created': 'The person follows someone, or someone follows them',
    'follow.deleted': 'One of those follows ends',
    'follow_request.created': 'The person sends or gets a follow request',
    'draft.proposed': 'An application proposes something to the person',
    'draft.scheduled': 'The person schedules a proposal',
    'draft.published': 'The person publishes a proposal',
    'draft.rejected': 'The person rejects a proposal',
    'draft.failed': 'A scheduled draft could not be published',
  },
  errors: {
    'bad-url': 'Enter an absolute https or http URL, without a username, password or fragment.',
    'no-events': 'Select at least one event.',
    'not-public': 'We found no public address for this host and port.',
    tls: 'The TLS connection failed. Check the certificate, its names and its chain.',
    timeout: 'The address did not respond within five seconds.',
    'no-connection': 'The connection was refused or closed.',
    'wrong-status': 'The address did not respond with status 200.',
    'wrong-challenge': 'The address responded with status 200, but not with the text of the challenge.',
    'too-many-or-known': 'The application already has this URL, or has reached the maximum number of endpoints.',
    'too-often': 'Too many checks or test events in the last hour. Try again later.',
  },
  done: {
    'events-saved': 'Events saved.',
    'turned-on': 'The endpoint is on.',
    'test-sent': 'The test event is on its way. Reload the page to see the response.',
    replayed: 'Queued to be sent again.',
    'endpoint-deleted': 'Endpoint deleted.',
  },
  enough: (number: number) => `An application can have ${String(number)} endpoints.`,
  created: (day: string) => `Added on ${day}`,
  waiting: (number: number) => (number === 1 ? '1 message waiting' : `${String(number)} messages waiting`),
  previousUntil: (time: string) => `the previous secret is valid until ${time}`,
  failing: (time: string) =>
    `No message has been delivered since ${time}. We retry each message for three days, and switch the endpoint off after five days.`,
  off: (time: string) =>
    `Switched off on ${time}: no message was delivered for five days, it responded with status 410, or too many were waiting. Events that happen while it is off are not sent.`,
  turnOn: 'Check and switch on',
  test: 'test',
  testKind: 'Event type',
  sendTest: 'Send test event',
  payload: 'Payload',
  log: 'Latest messages',
  logEmpty: 'No messages in the last seven days.',
  states: {
    pending: 'waiting',
    delivered: 'delivered',
    failed: 'failed',
    dropped: 'not sent: access was revoked, or the object is no longer visible',
  },
  attempts: (number: number) => (number === 1 ? '1 attempt' : `${String(number)} attempts`),
  status: (status: number) => `status ${String(status)}`,
  took: (milliseconds: number) => `took ${String(milliseconds)}\u00a0ms`,
  noAnswer: 'no response',
  next: (time: string) => `next attempt ${time}`,
  replay: 'Send again',
  sendNow: 'Send now',
  sendAllNow: 'Send everything that failed or waits now',
  changeEvents: 'Change events',
  saveEvents: 'Save events',
  changeSecret: 'Change the secret',
  changeSecretText: 'For 24 hours, messages are signed with both secrets, so you can switch without losing any.',
  changeSecretSubmit: 'Create a new secret',
  remove: 'Delete endpoint',
  removeText: 'Waiting messages are discarded.',
  removeSubmit: 'Delete endpoint',
  secretTitle: 'Webhook secret',
  secret: 'Secret',
  secretOnce: 'Copy the secret now and store it safely. You won’t be able to see it again.',
  back: 'Back to webhooks',
};
