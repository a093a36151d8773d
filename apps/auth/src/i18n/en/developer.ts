import type { RedirectUriProblem } from '../../applications/redirect-uri-policy.ts';
import type { RichText } from '../rich-text.ts';

/** What is wrong with a return address, after the address itself. */
const redirectUriProblems: Readonly<Record<RedirectUriProblem, string>> = {
  'too-long': 'is longer than 2048 characters.',
  'not-ascii': 'holds a space, a backslash or a character outside ASCII. Write such characters percent-encoded.',
  'not-absolute': 'is not a complete address such as https://app.example.com/callback.',
  fragment: 'has a fragment. Leave out the # and what follows.',
  userinfo: 'has a user name or password before its host. Leave them out.',
  'insecure-scheme': 'uses http. Only localhost, 127.0.0.1 and [::1] may; every other host needs https.',
  'unsupported-scheme': 'does not begin with https://. Only native applications may have schemes of their own.',
  'scheme-without-dot': 'has a scheme that is no reversed domain name, such as com.example.app:/callback.',
  'loopback-https': 'uses https for the device itself, where no certificate can be had. Use http.',
  'wildcard-host': 'has a * in its host. Name each host on a line of its own.',
  'encoded-control': 'holds an encoded control character or a broken percent-encoding.',
  'dot-segment': 'has “.” or “..” in its path. Write the path that is meant.',
  'reserved-parameter': 'has a query parameter that the answer will carry, such as code, iss, error or scope.',
  'bad-state': 'has a state parameter that is repeated or not Base64.',
  'not-normal': 'is not in its normal form: write scheme and host in lower case and leave out the usual port.',
};

/** Texts of the developer area. */
export const developer = {
  list: {
    title: 'My applications',
    intro: 'Applications use the API in their own name, and in the name of people who let them in.',
    create: 'Create application',
    empty: 'You have no application yet. Create one to get a client ID and your first token.',
    deleted: 'The application was deleted.',
    clientId: 'Client ID',
    created: (day: string) => `Created on ${day}`,
    suspended: 'Suspended',
  },
  types: {
    confidential: {
      label: 'Confidential',
      text: 'Runs on a server of yours and can keep a secret. Choose this for websites, bots and scripts.',
    },
    public: { label: 'Public', text: 'Runs in the browser and cannot keep a secret. It gets none and uses PKCE.' },
    native: { label: 'Native', text: 'Is installed on a phone or computer. It gets no secret and uses PKCE.' },
  },
  form: {
    name: 'Name',
    nameHint: 'People see it when they are asked to let the application in.',
    type: 'Type',
    redirectUris: 'Redirect URIs',
    redirectUrisHint:
      'Where people return to after they decided, one address per line, exactly as the application will send it. Use https, or http for localhost; native ones may use com.example.app:/callback. Leave it empty when nobody signs in with it.',
    scope: 'Permissions',
    scopeHint: 'The most that the application can ask for, in the words that people will read.',
    jwksUri: 'Address of its keys (JWKS)',
    jwksUriHint:
      'For an application that signs its requests (private_key_jwt) and gets no secret: an https address with its public keys, ES256, PS256 or EdDSA.',
    implicit: 'Allow response_type=token',
    implicitWarning:
      'Hands the access token over in the address bar. Only for old clients: authorization code with PKCE is safer and works everywhere.',
    actAsOwner: 'Let it act as my own account',
    actAsOwnerText:
      'With the application’s own credentials (client credentials) it can post, like and follow as you. You can take this back under “Connected applications”.',
    confidentialOnly: 'Confidential applications only.',
    errors: {
      nameBlank: 'Enter a name.',
      nameTooLong: 'The name can have at most 60 characters.',
      nameUnprintable: 'The name holds a character that cannot be shown.',
      typeMissing: 'Choose a type.',
      scopeUnknown: (scope: string) => `There is no permission “${scope}”.`,
      redirectUrisTooMany: 'An application can have at most 20 redirect URIs.',
      jwksNotConfidential: 'Only a confidential application can have keys of its own.',
      jwksUriBad: 'Enter a complete address such as https://app.example.com/jwks.json, or nothing.',
      jwksUriMissing: 'The application has no secret: it needs this address.',
      jwksMalformed: 'The keys cannot be used.',
      implicitNative: 'A native application cannot take it: choose another type, or leave this off.',
      implicitWithoutRedirectUri: 'It needs a redirect URI, to which the token is handed over.',
      redirectUri: (uri: string, problem: RedirectUriProblem) => `${uri} ${redirectUriProblems[problem]}`,
      tooManyApplications: 'You have as many applications as one account can have. Delete one first.',
    },
  },
  create: {
    title: 'Create application',
    intro: 'One form, then you have a client ID and can ask for a token.',
    submit: 'Create application',
    cancel: 'Cancel',
  },
  credentials: {
    createdTitle: 'Application created',
    secretTitle: 'New secret',
    clientId: 'Client ID',
    clientSecret: 'Client secret',
    secretOnce: 'Copy the secret now and keep it safe. It is shown this once; we keep only a fingerprint of it.',
    noSecret:
      'This application cannot keep a secret, so it has none. It signs people in with the authorization code flow and PKCE (S256).',
    ownKeys: 'It proves who it is by signing its requests with its own keys (private_key_jwt), so it has no secret.',
    tryTitle: 'Try it',
    tryText: 'This asks for a token in the application’s own name:',
    authorizeText: 'Send people’s browsers here, with your own code_challenge and state:',
    continue: 'To the application',
    metadata: 'Where everything is:',
  },
  application: {
    clientId: 'Client ID',
    type: 'Type',
    created: 'Created',
    suspended: 'An operator suspended this application. Its tokens are refused.',
    saved: 'The changes were saved.',
    secretRetired: 'The secret was retired. It no longer works.',
    alreadyCreated:
      'This form was sent before: the application is there already. Its secret, if it has one, was shown then; if you do not have it, add another.',
    alreadyAdded:
      'This form was sent before: the secret is there already, and was shown then. If you do not have it, retire it and add another.',
    confirmFirst: (link: RichText): RichText => [
      'You signed in a while ago. For the safety of your application, ',
      link,
      ' (in another tab), then save once more.',
    ],
    confirmLink: 'confirm that it is you',
    settings: 'Settings',
    save: 'Save changes',
    secrets: 'Secrets',
    secretsText:
      'To change the secret without a break, add a second one, move your servers to it, then retire the old one. Access tokens end when a secret is retired; your servers ask for new ones with the other.',
    noSecrets: 'There is no secret. Add one, or the application cannot ask for tokens.',
    secretNumber: (number: number) => `Secret ${String(number)}`,
    secretCreated: (day: string) => `Created on ${day}`,
    secretUsed: (day: string) => `last used on ${day}`,
    secretExpires: (minute: string) => `ends ${minute}`,
    addSecret: 'Add a secret',
    ownKeys: 'This application signs its requests with keys of its own (private_key_jwt), so it has no secrets.',
    enoughSecrets: 'Two secrets are the most. Retire one before you add another.',
    retire: 'Retire',
    remove: 'Delete application',
    removeText:
      'It gets no more tokens, those it has end within a second, and everybody who let it in is disconnected. This cannot be undone.',
    confirm: (name: RichText): RichText => ['To confirm, type ', name],
    confirmWrong: 'This is not the name of the application.',
    removeSubmit: 'Delete this application',
  },
};
