import type { SettingMessages } from '../setting-texts.ts';

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
