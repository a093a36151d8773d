import { randomBytes } from 'node:crypto';

import { decodeJwt } from 'jose';

import { findFormTo } from '../../../support/html-form.ts';
import { pkce, parametersOf, readResponse, toForm } from '../modules/module.ts';
import type { Fields, ServerResponse } from '../modules/module.ts';
import type { RegisteredApplication, World } from '../world.ts';
import { authenticate } from './raw-authentication.ts';
import type { RawClient } from './raw-client.ts';

/** An application that a raw client runs as. */
export interface RawApplication extends RegisteredApplication {
  readonly redirectUri: string;
}

/** Signs a person in with the requests of the client, and returns their name as the client finds it. */
export async function signInRaw(world: World, client: RawClient, app: RawApplication): Promise<unknown> {
  const verifier = randomBytes(32).toString('base64url');
  const callback = await authorize(world, client, { app, verifier });
  if (callback['state'] !== client.state) throw new Error(`the state changed: ${JSON.stringify(callback)}`);
  const tokens = await exchange(world, client, { app, verifier, code: callback['code'] });
  if (client.person === 'ID token') return checkIdToken(client, tokens)['name'];
  const headers = { authorization: `Bearer ${String(tokens.json['access_token'])}`, accept: 'application/json' };
  return (await readResponse(await fetch(`${world.issuer}/oauth/userinfo`, { headers }))).json['name'];
}

interface Sent {
  readonly app: RawApplication;
  readonly verifier: string;
  readonly code?: string | undefined;
}

async function authorize(world: World, client: RawClient, { app, verifier }: Sent) {
  const request: Fields = {
    client_id: app.id,
    redirect_uri: app.redirectUri,
    response_type: 'code',
    scope: client.scope,
    ...client.authorization,
    ...(client.hasPkce ? pkce(verifier) : {}),
    state: client.state,
  };
  const sent = client.isPushed === true ? await push(world, request, app) : request;
  const page = await world.visitor().finish(`${world.issuer}/oauth/authorize?${toForm(sent).toString()}`);
  if (client.authorization['response_mode'] !== 'form_post') return parametersOf(page.url);
  return Object.fromEntries(findFormTo(page, app.redirectUri)?.fields ?? []);
}

async function push({ issuer }: World, request: Fields, { id, secret }: RawApplication): Promise<Fields> {
  const body = toForm({ ...request, client_secret: secret });
  const { status, json } = await readResponse(await fetch(`${issuer}/oauth/par`, { method: 'POST', body }));
  if (status !== 201) throw new Error(JSON.stringify(json));
  return { client_id: id, request_uri: String(json['request_uri']) };
}

async function exchange({ issuer }: World, { token, hasPkce }: RawClient, { app, verifier, code }: Sent) {
  const { headers = {}, more = {} } = token;
  const { header, fields } = authenticate(token.authentication, app);
  const form: Fields = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: app.redirectUri,
    ...(hasPkce ? { code_verifier: verifier } : {}),
    ...fields,
    ...more,
  };
  const response = await readResponse(
    await fetch(`${issuer}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers, ...header },
      body: toForm(form).toString(),
    }),
  );
  if (response.status !== 200) throw new Error(JSON.stringify(response.json));
  return response;
}

/** The claims of the ID token, which repeats the nonce. */
function checkIdToken({ authorization }: RawClient, { json }: ServerResponse) {
  const claims = decodeJwt(String(json['id_token']));
  if (claims['nonce'] !== authorization['nonce']) throw new Error('the nonce changed');
  return claims;
}
