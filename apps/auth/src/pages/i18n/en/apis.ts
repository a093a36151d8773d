import type { RichText } from '../rich-text.ts';

/** Texts of the pages of a developer's APIs. */
export const apis = {
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
