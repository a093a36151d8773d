import { expect } from 'vitest';

import type { RegisteredApplication } from '../world.ts';
import { registerClient } from './client-registration.ts';
import type { Fields } from './module.ts';
import { authorize, randomText, readAuthorizationResponse } from './relying-party.ts';
import type { ResponseMode, Suite, SuiteModules } from './suite.ts';

/** The modules that send request objects (OpenID Connect Core §6), which the service does not support. */

const unsignedJwt = (claims: Fields): string => {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${encode({ alg: 'none' })}.${encode(claims)}.`;
};

/** These are only in the request object. */
const onlyInRequestObject = { state: undefined, nonce: undefined, response_mode: undefined };

interface Unsupported {
  readonly app: RegisteredApplication;
  readonly changes: Fields;
  readonly error: string;
}

/** The suite skips the module if the error says that request objects are not supported. */
async function sendRequestObject(suite: Suite, { app, changes, error }: Unsupported): Promise<void> {
  const { page } = await authorize(suite, { app, changes: { ...onlyInRequestObject, ...changes } });
  expect(readAuthorizationResponse({ ...suite, mode: 'default' }, page)).toMatchObject({ error });
  // The suite looks for the error only where the request object asks for it.
  if (suite.mode === 'form_post') suite.fail();
  else suite.skip();
}

const failsByQuery = 'the error arrives in the query, because only the request object names `response_mode`';

const endOfRequestObject = (mode: ResponseMode, reason: string) =>
  mode === 'form_post' ? { fails: failsByQuery } : { skips: reason };

export const createRequestObjectModules = (mode: ResponseMode): SuiteModules => ({
  'oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported': {
    run: async (suite) => {
      const uri = `https://suite.example.com/requests/${randomText(50)}#${randomText(10)}`;
      const app = await registerClient(suite, { request_uris: [uri] });
      await sendRequestObject(suite, { app, changes: { request_uri: uri }, error: 'request_uri_not_supported' });
    },
    ...endOfRequestObject(mode, 'a `request_uri` of a client is not supported (`request_uri_not_supported`)'),
  },
  'oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported': {
    run: async (suite) => {
      const { app } = suite;
      const request = unsignedJwt({ client_id: app.id, response_type: 'code', state: randomText(10), scope: 'openid' });
      await sendRequestObject(suite, { app, changes: { request }, error: 'request_not_supported' });
    },
    ...endOfRequestObject(mode, 'request objects are not supported (`request_not_supported`)'),
  },
});

export const requestObjectWithRedirectUri: SuiteModules = {
  'oidcc-ensure-request-object-with-redirect-uri': {
    run: async (suite) => {
      const { redirectUri } = suite.stage.world;
      const request = unsignedJwt({ client_id: suite.app.id, redirect_uri: redirectUri, response_type: 'code' });
      const changes = { ...onlyInRequestObject, request, redirect_uri: `${redirectUri}_invalid` };
      suite.review((await authorize(suite, { changes })).page, 'redirect_uri');
    },
    reviews: 'the page that says that the redirect URI is not registered',
  },
};
