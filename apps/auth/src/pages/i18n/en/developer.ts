import type { RedirectUriProblem } from '@linnet/applications/application/redirect-uri-policy';
import type { RichText } from '../text-types.ts';
import * as applicationPages from './application-pages.ts';
import * as applicationSettings from './application-settings.ts';
import { failures } from './failures.ts';
import { playground } from './playground.ts';

/** What is wrong with a redirect URI; the text follows the URI. */
const redirectUriProblems: Readonly<Record<RedirectUriProblem, string>> = {
  'too-long': 'is longer than 2048 characters.',
  'not-ascii': 'contains a space, a backslash or a non-ASCII character. Percent-encode it.',
  'not-absolute': 'is not an absolute URI, such as https://app.example.com/callback.',
  fragment: 'has a fragment. Remove the # and everything after it.',
  userinfo: 'contains a username or password. Remove it.',
  'insecure-scheme': 'uses http. Use https; http is only allowed for localhost, 127.0.0.1 and [::1].',
  'unsupported-scheme': 'does not begin with https://. Only native applications can use custom schemes.',
  'reserved-scheme': 'has a scheme that browsers or operating systems handle themselves. Use one of your own.',
  'scheme-without-dot':
    'has a scheme that is not a reversed domain name, and no :// after it. Use one such as com.example.app:/callback.',
  'loopback-https': 'uses https for a loopback address. Use http.',
  'wildcard-host': 'has a * in its host. List each host on its own line.',
  'encoded-control': 'contains an encoded control character or invalid percent-encoding.',
  'dot-segment': 'has “.” or “..” in its path. Use the resolved path.',
  'reserved-parameter': 'has a query parameter that is reserved for the response, such as code, iss, error or scope.',
  'bad-state': 'has a state parameter that is repeated or not valid Base64.',
  'not-normal': 'is not normalized. Use lower case for scheme and host, and omit the default port.',
  'own-service': 'belongs to this service. Use the address of your application.',
};

/** Texts of the pages of a developer's APIs. */
const apis = {
  title: 'My APIs',
  intro:
    'Your own API, such as an MCP server, can accept tokens of this service. People consent to its scopes, and applications name it with the parameter “resource”.',
  create: 'Register API',
  empty: 'You have not registered an API yet.',
  deleted: 'API deleted.',
  save: 'Save changes',
  done: {
    created: 'API registered.',
    saved: 'Changes saved.',
    proven: 'The address is verified.',
    'already-created': 'You have registered this identifier already.',
  },
  scopeRemoval: 'If you remove a scope, all grants of it end, and tokens issued with it are no longer active.',
  remove: 'Delete this API',
  removeText:
    'People and applications lose its scopes immediately. If you register it again, people must consent again.',
  removeSubmit: 'Delete API',
  history: {
    intro: 'Changes to your APIs, including deleted ones, latest first. Entries cannot be edited or removed.',
    events: { 'api.created': 'API registered', 'api.changed': 'API settings saved', 'api.deleted': 'API deleted' },
    name: (name: string) => `name: ${name}`,
    descriptions: 'descriptions of the scopes',
    proof: 'verification of the address',
  },
  form: {
    identifier: 'Identifier',
    identifierHint:
      'The https address of your API, such as https://notes.example.com/mcp. It is the audience of the tokens and cannot be changed.',
    scopes: 'Scopes',
    scopesHint:
      'One per line: the name, a space, and what it allows, such as “notes:read Read your notes”. People see the description.',
    client: 'Application that introspects tokens',
    clientHint: 'Your API can use its credentials to check tokens. Without one, verify tokens with the published keys.',
    noClient: 'None',
    accessTokenAlg: 'Signature of access tokens',
    accessTokenAlgHint: 'ES256 unless your gateway or library supports RS256 only.',
  },
  streams: {
    title: 'Security events',
    none: 'Your API has no event stream. Its application can create one, so that your API learns of revoked tokens within a second.',
    polled: 'Fetched by your API',
    states: { on: 'on', paused: 'paused', off: 'off' },
    failing: (time: string) => `no event delivered since ${time}`,
    lastEvent: (time: string) => `last event: ${time}`,
    lastStatus: (status: number) => `last response: status ${String(status)}`,
  },
  proof: {
    title: 'Verify the address',
    proven: (address: RichText): RichText => ['Verified: ', address, ' names this service.'],
    unproven: (address: RichText, issuer: RichText): RichText => [
      'The consent page says that it is not verified that you operate this address. Serve the metadata of your API (RFC 9728) at ',
      address,
      ', with ',
      issuer,
      ' under “authorization_servers”. Then check it.',
    ],
    submit: 'Check the address',
    failed: 'The address is not verified: we found no metadata of this API that names this service.',
  },
  errors: {
    tooMany: 'You can register up to 10 APIs. Delete one first.',
    client: 'Choose one of your confidential applications.',
    identifier: {
      'too-long': 'The identifier is longer than 512 characters.',
      malformed: 'This is not a normalized https URL, such as https://api.example.com/notes.',
      fragment: 'Remove the # and everything after it.',
      query: 'Remove the ? and everything after it.',
      'insecure-scheme': 'Use https; http is only allowed for localhost, 127.0.0.1 and [::1].',
      'own-service': 'This address belongs to this service. Use the address of your own API.',
      taken: 'This identifier is registered already.',
    },
    scopes: {
      none: (_scope: string) => 'Enter at least one scope.',
      'too-many': (_scope: string) => 'An API can have up to 30 scopes.',
      malformed: (scope: string) =>
        `${scope} is not a valid name: up to 64 visible ASCII characters without ", \\ and #.`,
      reserved: (scope: string) => `${scope} is a scope of this service or of OpenID Connect.`,
      repeated: (scope: string) => `${scope} is listed twice.`,
      undescribed: (scope: string) => `${scope} needs a description of up to 200 characters.`,
      unprintable: (scope: string) => `The description of ${scope} contains a character that cannot be displayed.`,
    },
  },
};

/** Texts of the developer area. */
export const developer = {
  apis,
  list: {
    title: 'My applications',
    apis: 'Protect your own API',
    intro: 'Applications call the API on their own behalf, or on behalf of people who authorize them.',
    create: 'Create application',
    empty: 'You don’t have any applications yet. Create one to get a client ID and your first token.',
    deleted: 'Application deleted.',
    unconfirmed:
      'Your e-mail address is not confirmed yet. Your applications work, but their consent pages show that the address is unconfirmed.',
    unconfirmedAccess:
      'Until you confirm it, they cannot act as your account. Confirming it pauses them and deletes their secrets and keys, in case someone else created them.',
    confirm: 'Confirm your address',
    clientId: 'Client ID',
    created: (day: string) => `Created on ${day}`,
    suspended: 'Suspended',
  },
  types: {
    confidential: { label: 'Confidential' },
    public: { label: 'Public' },
    native: { label: 'Native' },
  },
  form: {
    name: 'Name',
    nameHint: 'People see this name on the consent page.',
    redirectUris: 'Redirect URIs',
    redirectUrisHint:
      'Where people are sent after they decide. Enter one URI per line, exactly as your application sends it. Use https, or http for localhost. Native applications can use com.example.app:/callback. Leave this empty if no one signs in with this application.',
    redirectUrisWarning:
      'Any app on the device can claim a scheme without a dot, and receive the authorization code. PKCE protects the code; a reversed domain name, such as com.example.app:/callback, is safer still.',
    scope: 'Permissions',
    scopeHint: 'The permissions your application can request, as people will see them.',
    scopeUse: 'On the consent page',
    scopeRequired: 'required',
    scopeOptional: 'optional: people can decline it',
    scopeReason: 'Why your application needs it, in one sentence shown to people (optional)',
    jwksUri: 'JWKS URI',
    jwksUriHint:
      'For applications that authenticate with private_key_jwt instead of a secret: an https URL that serves their public keys (ES256, PS256, EdDSA or RS256).',
    implicit: 'Allow response_type=token',
    implicitWarning:
      'Sends the access token in the browser’s address bar. For legacy clients only: the authorization code flow with PKCE is safer and works everywhere.',
    actAsOwner: 'Let it act as my account',
    actAsOwnerText:
      'With its client credentials, the application can post, like and follow as you. You can revoke this under “Connected apps”.',
    confidentialOnly: 'Confidential applications only.',
    errors: {
      nameBlank: 'Enter a name.',
      nameTooLong: 'Name must be 60 characters or fewer.',
      typeMissing: 'Choose a type.',
      scopeUnknown: (scope: string) => `“${scope}” is not a valid permission.`,
      scopeReasonTooLong: (scope: string) => `The reason for “${scope}” must be 200 characters or fewer.`,
      scopeReasonUnprintable: (scope: string) =>
        `The reason for “${scope}” contains a character that cannot be displayed.`,
      redirectUrisTooMany: 'An application can have up to 20 redirect URIs.',
      jwksNotConfidential: 'Only confidential applications can use their own keys.',
      jwksUriBad: 'Enter an https URL without a port, such as https://app.example.com/jwks.json, or leave this empty.',
      jwksUriMissing: 'This application has no secret, so it needs a JWKS URI.',
      jwksNone: 'Enter an https URL, or a JWK Set as JSON.',
      jwksMalformed: 'These keys are not a valid JWK set.',
      implicitStrict: 'Strict applications cannot use it.',
      implicitNative: 'Native applications cannot use it. Choose another type, or turn this off.',
      implicitWithoutRedirectUri: 'Add a redirect URI to receive the token.',
      redirectUri: (uri: string, problem: RedirectUriProblem) => `${uri} ${redirectUriProblems[problem]}`,
      tooManyApplications: 'You have reached the maximum number of applications. Delete one first.',
    },
  },
  create: {
    title: 'Create application',
    intro: 'Answer three questions. Everything else has a default that you can change later.',
    kind: 'What kind of application is it?',
    kindHint: 'This decides whether it gets a secret, and cannot be changed later.',
    kinds: {
      confidential: { label: 'Website with a server', text: 'People sign in. Your server keeps the secret.' },
      public: {
        label: 'Application in the browser',
        text: 'People sign in. A browser cannot keep a secret, so the application uses PKCE instead.',
      },
      native: {
        label: 'Application on a phone or computer',
        text: 'People sign in. The application cannot keep a secret and uses PKCE instead. Choose this for command-line tools, too.',
      },
      backend: {
        label: 'Backend, bot or script',
        text: 'No one signs in. It keeps a secret and acts as itself, or as you.',
      },
    },
    redirectUrisHint:
      'Where people return after they sign in. Enter one URI per line, exactly as your application sends it: https, or http for localhost; com.example.app:/callback for native applications. You can add them later.',
    submit: 'Create application',
    cancel: 'Cancel',
  },
  credentials: {
    createdTitle: 'Application created',
    secretTitle: 'New secret',
    clientId: 'Client ID',
    clientSecret: 'Client secret',
    secretOnce:
      'Copy the secret now and store it safely. You won’t be able to see it again, because we only store a hash of it.',
    noSecret:
      'This application cannot keep a secret, so it doesn’t have one. It signs people in with the authorization code flow and PKCE (S256).',
    ownKeys: 'This application authenticates with its own keys (private_key_jwt), so it has no secret.',
    continue: 'Go to the application',
  },
  ...applicationPages,
  ...applicationSettings,
  playground,
  testPeople: {
    title: 'Test people',
    intro:
      'Accounts to try your applications with. Only your own applications see them and what they write; for everyone else, they do not exist.',
    use: 'Sign in as one of them in the playground of an application. They have no password, and no e-mail is sent to them. They read everything public, but can follow, like, comment on and mention only each other.',
    empty: 'You have no test people yet.',
    create: 'Create a test person',
    enough: (count: number) => `This is all: a developer has at most ${String(count)} test people.`,
    later: 'Too many test people were created today. Try again later.',
    edit: 'Rename or delete',
    username: 'Username',
    firstName: 'First name',
    lastName: 'Last name',
    save: 'Save',
    deleteText: 'Deletes the account and everything it has written, for good.',
    delete: 'Delete this test person',
    done: {
      created: 'Test person created.',
      saved: 'Changes saved.',
      deleted: 'Test person deleted.',
    },
    errors: {
      username: 'Use 5 to 32 letters, digits and underscores.',
      name: 'Enter a name of the allowed length.',
      taken: 'This username is taken or reserved.',
      tooMany: 'This test person was renamed too often. Try again later.',
      refused: 'This name is not accepted.',
    },
  },
  failures,
  watched: {
    title: 'Successful requests',
    intro: (minutes: number) =>
      `The latest 100, tokens included, with the request IDs of their responses. They are kept for an hour, and only while you watch: ${String(minutes)} minutes at a time.`,
    watch: (minutes: number) => `Watch for ${String(minutes)} minutes`,
    until: (time: string) => `Watching until ${time}.`,
    reload: 'Load again',
    stop: 'Stop',
    none: 'No successful requests were watched in the last hour.',
    waiting: 'No successful requests yet. Load the page again a second after you sent one.',
  },
  application: {
    clientId: 'Client ID',
    type: 'Type',
    created: 'Created',
    suspended: 'An administrator suspended this application. Its tokens are rejected.',
    saved: 'Changes saved.',
    secretRetired: 'Secret retired. It no longer works.',
    alreadyCreated:
      'This form was already submitted, and the application exists. If it has a secret, it was shown then. If you don’t have it, add another.',
    alreadyAdded:
      'This form was already submitted, and the secret exists. It was shown then. If you don’t have it, retire it and add another.',
    save: 'Save changes',
    ownKeys: 'This application authenticates with its own keys (private_key_jwt), so it has no secrets.',
    remove: 'Delete application',
    removeText:
      'All its tokens are revoked within a second, it cannot get new ones, and everyone who authorized it is disconnected. This cannot be undone.',
    confirm: (name: RichText): RichText => ['To confirm, type ', name],
    confirmWrong: 'This does not match the application’s name.',
    removeSubmit: 'Delete this application',
  },
};
