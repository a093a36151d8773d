import { setTimeout as delay } from 'node:timers/promises';

import { decodeJwt } from 'jose';
import { expect } from 'vitest';

import { retryUnavailable } from '../../../support/service.ts';
import { assert, createHolder, now, parametersOf, pkce } from './module.ts';
import type { ServerResponse, Holder, Module, Modules, Stage } from './module.ts';

/**
 * `fapi2-security-profile-final-test-plan` for plain FAPI with private_key_jwt, DPoP and pushed requests, with a strict
 * application. `stage.world.signing` is that application.
 */

type Fields = Readonly<Record<string, string | undefined>>;

const token = '/oauth/token';
const par = '/oauth/par';
const invalidGrant = { status: 400, json: { error: 'invalid_grant' } };
const badClient = { status: 401, json: { error: 'invalid_client' } };

/** Sends a pushed authorization request (RFC 9126); `changes` override its parameters. */
async function push(
  stage: Stage,
  changes: Fields = {},
  headers?: Readonly<Record<string, string>>,
): Promise<ServerResponse> {
  const { world, verifier } = stage;
  const usual = {
    client_id: world.signing.id,
    response_type: 'code',
    redirect_uri: world.redirectUri,
    scope: 'openid users',
    state: 'any state',
    nonce: 'any nonce',
    ...pkce(verifier),
    ...(changes['client_assertion'] === undefined ? await assert(stage) : {}),
  };
  return await stage.post(par, { ...usual, ...changes }, headers);
}

const addressOf = ({ world }: Stage, { json }: ServerResponse, clientId = world.signing.id): string =>
  `${world.issuer}/oauth/authorize?${new URLSearchParams({ client_id: clientId, request_uri: String(json['request_uri']) }).toString()}`;

async function authorize(stage: Stage, changes?: Fields, headers?: Readonly<Record<string, string>>) {
  const pushed = await push(stage, changes, headers);
  expect(pushed.status).toBe(201);
  return parametersOf(await stage.visitor.consent(addressOf(stage, pushed)));
}

interface Redemption {
  /** Whose proof is sent; by default a new key. */
  readonly holder?: Holder;
  readonly changes?: Fields;
}

const codeForm = async (stage: Stage, code: string | undefined) => ({
  grant_type: 'authorization_code',
  code,
  redirect_uri: stage.world.redirectUri,
  code_verifier: stage.verifier,
  ...(await assert(stage)),
});

/** The stage with the second strict application as the client. */
function ofSecondClient(stage: Stage): Stage {
  const [, signing] = stage.world.strict;
  return { ...stage, world: { ...stage.world, signing } };
}

async function redeem(stage: Stage, code: string | undefined, { holder, changes = {} }: Redemption = {}) {
  const { redirectUri, issuer } = stage.world;
  const form = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: stage.verifier,
    ...(changes['client_assertion'] === undefined ? await assert(stage) : {}),
    ...changes,
  };
  const prover = holder ?? (await createHolder());
  return await stage.post(token, form, { dpop: await prover.prove('POST', `${issuer}${token}`) });
}

interface Call {
  readonly holder: Holder;
  readonly accept?: string | undefined;
  readonly scheme?: string;
  readonly path?: string;
}

async function callApi(
  stage: Stage,
  { json }: ServerResponse,
  { holder, scheme = 'DPoP', accept, path = '/api/v2.0/users/show' }: Call,
) {
  const address = `${stage.world.issuer}${path}`;
  const accessToken = String(json['access_token']);
  const ath = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(accessToken))).toString('base64url');
  // Each attempt needs a new proof.
  const show = async () => {
    const headers = { authorization: `${scheme} ${accessToken}`, dpop: await holder.prove('GET', address, { ath }) };
    return await fetch(address, { headers: { ...headers, ...(accept === undefined ? {} : { accept }) } });
  };
  return (await retryUnavailable(show)).status;
}

/** The complete flow, with the changes of the module to the pushed request. */
const succeedsWith =
  (changes: Fields, expected: Readonly<Record<string, unknown>> = {}) =>
  async (stage: Stage): Promise<void> => {
    const holder = await createHolder();
    const callback = await authorize(stage, changes);
    expect(callback).toMatchObject(expected);
    const response = await redeem(stage, callback['code'], { holder });
    expect(response).toMatchObject({ status: 200, json: { token_type: 'DPoP' } });
    expect(await callApi(stage, response, { holder })).toBe(200);
  };

const pushRefused =
  (changes: Fields, error: RegExp): Module =>
  async (stage) => {
    const { status, json } = await push(stage, changes);
    expect(status).toBe(400);
    expect(json['error']).toMatch(error);
  };

/** The token endpoint refuses the assertion, after a complete authorization. */
const assertionRefused =
  (changes: () => Readonly<Record<string, unknown>>): Module =>
  async (stage) => {
    const { code } = await authorize(stage);
    expect(await redeem(stage, code, { changes: await assert(stage, changes()) })).toMatchObject(badClient);
  };

const withProof =
  (changes: () => Readonly<Record<string, unknown>>, status: number): Module =>
  async (stage) => {
    const holder = await createHolder();
    const { code } = await authorize(stage);
    const proof = await holder.prove('POST', `${stage.world.issuer}${token}`, changes());
    const form = { grant_type: 'authorization_code', code, redirect_uri: stage.world.redirectUri };
    const all = { ...form, code_verifier: stage.verifier, ...(await assert(stage)) };
    expect((await stage.post(token, all, { dpop: proof })).status).toBe(status);
  };

const ofProfile = (name: string) => `not applicable: a rule of ${name}, not of plain FAPI`;
const plan = 'fapi2-security-profile-final';

export const fapi2: Modules = {
  [`${plan}-discovery-end-point-verification`]: async ({ metadata, world }) => {
    expect(metadata).toMatchObject({
      issuer: world.issuer,
      pushed_authorization_request_endpoint: `${world.issuer}${par}`,
      authorization_response_iss_parameter_supported: true,
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: expect.arrayContaining(['private_key_jwt']),
      dpop_signing_alg_values_supported: expect.arrayContaining(['ES256']),
    });
  },
  [`${plan}-happy-flow`]: async (stage) => {
    const first = await createHolder();
    const callback = await authorize(stage);
    expect(callback).toMatchObject({ state: 'any state', iss: stage.world.issuer });
    const response = await redeem(stage, callback['code'], { holder: first });
    expect(response).toMatchObject({ status: 200, json: { token_type: 'DPoP' } });
    for (const accept of [undefined, 'application/json', 'application/json;charset=UTF-8', '*/*']) {
      expect(await callApi(stage, response, { holder: first, accept })).toBe(200);
    }
    // The second client cannot use what the first one got.
    const second = ofSecondClient(stage);
    const { code } = await authorize(stage);
    expect(await redeem(second, code, { holder: first })).toMatchObject(invalidGrant);
    const other = await authorize(second);
    const otherResponse = await redeem(second, other['code']);
    expect(otherResponse.status).toBe(200);
    expect(await callApi(stage, otherResponse, { holder: first })).toBe(401);
  },
  [`${plan}-ensure-other-scope-order-succeeds`]: succeedsWith({ scope: 'users openid' }),
  [`${plan}-user-rejects-authentication`]: async (stage) => {
    const pushed = await push(stage, { prompt: 'consent' });
    const callback = parametersOf(await stage.visitor.decline(addressOf(stage, pushed)));
    expect(callback).toMatchObject({ error: 'access_denied', state: 'any state', iss: stage.world.issuer });
  },
  [`${plan}-access-token-type-header-case-sensitivity`]: async (stage) => {
    const holder = await createHolder();
    const response = await redeem(stage, (await authorize(stage))['code'], { holder });
    for (const scheme of ['dpop', 'DPOP', 'DPoP']) expect(await callApi(stage, response, { holder, scheme })).toBe(200);
  },
  [`${plan}-attempt-reuse-authorization-code-after-one-second`]: async (stage) => {
    const holder = await createHolder();
    const { code } = await authorize(stage);
    const response = await redeem(stage, code, { holder });
    await delay(1000);
    expect(await redeem(stage, code, { holder })).toMatchObject(invalidGrant);
    expect(await callApi(stage, response, { holder, path: '/oauth/userinfo' })).toBe(401);
  },
  [`${plan}-ensure-token-endpoint-fails-with-expired-auth-code`]:
    'not run: tested with a shifted clock in `token-endpoint.store.test.ts` instead of a wait of one minute',
  [`${plan}-check-dpop-proof-nbf-exp`]: withProof(() => ({ nbf: now() - 5, exp: now() + 60 }), 200),
  [`${plan}-dpop-negative-tests`]: async (stage) => {
    const holder = await createHolder();
    const address = `${stage.world.issuer}${token}`;
    const proofs = await Promise.all([
      holder.prove('GET', address),
      holder.prove('POST', `${address}/x`),
      holder.prove('POST', address, { iat: now() - 3600 }),
      holder.prove('POST', address, { jti: undefined }),
      holder.prove('POST', address, { typ: 'JWT' }),
      Promise.resolve('no proof'),
    ]);
    const { code } = await authorize(stage);
    const form = { grant_type: 'authorization_code', code, redirect_uri: stage.world.redirectUri };
    for (const dpop of proofs) {
      const all = { ...form, code_verifier: stage.verifier, ...(await assert(stage)) };
      expect(await stage.post(token, all, { dpop })).toMatchObject({
        status: 400,
        json: { error: 'invalid_dpop_proof' },
      });
    }
  },
  [`${plan}-ensure-dpopproof-with-iat-10seconds-before-succeeds`]: withProof(() => ({ iat: now() - 10 }), 200),
  [`${plan}-ensure-dpopproof-with-iat-10seconds-after-succeeds`]: withProof(() => ({ iat: now() + 10 }), 200),
  [`${plan}-ensure-holder-of-key-required`]: async (stage) => {
    const { code } = await authorize(stage);
    expect(await stage.post(token, await codeForm(stage, code))).toMatchObject({
      status: 400,
      json: { error: expect.stringMatching(/^invalid_(grant|request|dpop_proof)$/) },
    });
  },
  [`${plan}-ensure-dpop-auth-code-binding-success`]: async (stage) => {
    const holder = await createHolder();
    const { code } = await authorize(stage, { dpop_jkt: holder.thumbprint });
    expect(await redeem(stage, code, { holder })).toMatchObject({ status: 200, json: { token_type: 'DPoP' } });
  },
  [`${plan}-ensure-dpopproof-at-par-endpoint-binding-success`]: async (stage) => {
    const holder = await createHolder();
    const dpop = await holder.prove('POST', `${stage.world.issuer}${par}`);
    const { code } = await authorize(stage, {}, { dpop });
    expect(await redeem(stage, code, { holder: await createHolder() })).toMatchObject(invalidGrant);
    const again = await holder.prove('POST', `${stage.world.issuer}${par}`);
    const second = await authorize(stage, {}, { dpop: again });
    expect(await redeem(stage, second['code'], { holder })).toMatchObject({ status: 200 });
  },
  [`${plan}-ensure-mismatched-dpop-jkt-fails`]: async (stage) => {
    const [holder, other] = [await createHolder(), await createHolder()];
    const dpop = await holder.prove('POST', `${stage.world.issuer}${par}`);
    expect(await push(stage, { dpop_jkt: other.thumbprint }, { dpop })).toMatchObject({ status: 400 });
  },
  [`${plan}-ensure-token-endpoint-fails-with-mismatched-dpop-jkt`]: async (stage) => {
    const { code } = await authorize(stage, { dpop_jkt: (await createHolder()).thumbprint });
    expect(await redeem(stage, code, { holder: await createHolder() })).toMatchObject(invalidGrant);
  },
  [`${plan}-ensure-token-endpoint-fails-with-mismatched-dpop-proof-jkt`]: async (stage) => {
    const dpop = await (await createHolder()).prove('POST', `${stage.world.issuer}${par}`);
    const { code } = await authorize(stage, {}, { dpop });
    expect(await redeem(stage, code, { holder: await createHolder() })).toMatchObject(invalidGrant);
  },
  [`${plan}-ensure-authorization-code-is-bound-to-client`]: async (stage) => {
    const { code } = await authorize(stage);
    expect(await redeem(ofSecondClient(stage), code)).toMatchObject(invalidGrant);
  },
  [`${plan}-ensure-authorization-request-with-64-char-nonce-success`]: succeedsWith({ nonce: 'n'.repeat(64) }),
  [`${plan}-ensure-authorization-request-with-long-nonce`]: succeedsWith({ nonce: 'n'.repeat(384) }),
  [`${plan}-ensure-authorization-request-with-long-state`]: succeedsWith(
    { state: 's'.repeat(384) },
    { state: 's'.repeat(384) },
  ),
  [`${plan}-ensure-authorization-request-without-nonce-success`]: succeedsWith({ nonce: undefined }),
  [`${plan}-ensure-authorization-request-without-state-success`]: async (stage) => {
    expect(await authorize(stage, { state: undefined })).not.toHaveProperty('state');
  },
  [`${plan}-ensure-client-assertion-in-token-endpoint`]: async (stage) => {
    const { code } = await authorize(stage);
    const none = { client_assertion: '', client_id: stage.world.signing.id };
    expect((await redeem(stage, code, { changes: none })).json).toMatchObject({
      error: expect.stringMatching(/^invalid_/),
    });
  },
  [`${plan}-ensure-client-id-in-token-endpoint`]: async (stage) => {
    const { code } = await authorize(stage);
    expect(await redeem(stage, code, { changes: { client_id: stage.world.signing.id } })).toMatchObject({
      status: 200,
    });
  },
  [`${plan}-ensure-client-assertion-with-exp-is-5-minutes-in-past-fails`]: assertionRefused(() => ({
    iat: now() - 400,
    nbf: now() - 400,
    exp: now() - 300,
  })),
  [`${plan}-ensure-client-assertion-with-no-sub-fails`]: assertionRefused(() => ({ sub: undefined })),
  [`${plan}-ensure-client-assertion-with-wrong-aud-fails`]: assertionRefused(() => ({ aud: 'https://as.example' })),
  [`${plan}-par-test-array-as-audience-fails`]: async (stage) => {
    const { issuer } = stage.world;
    expect(await push(stage, await assert(stage, { aud: [issuer, `${issuer}${par}`] }))).toMatchObject(badClient);
  },
  [`${plan}-par-test-par-endpoint-url-as-audience-fails`]: async (stage) => {
    const aud = `${stage.world.issuer}${par}`;
    expect(await push(stage, await assert(stage, { aud }))).toMatchObject(badClient);
  },
  [`${plan}-par-test-token-endpoint-url-as-audience-fails`]: async (stage) => {
    const aud = `${stage.world.issuer}${token}`;
    expect(await push(stage, await assert(stage, { aud }))).toMatchObject(badClient);
  },
  [`${plan}-par-ensure-jwt-client-assertions-nbf-8-seconds-in-the-future-is-accepted`]: async (stage) => {
    const ahead = now() + 8;
    await succeedsWith(await assert(stage, { iat: ahead, nbf: ahead }))(stage);
  },
  [`${plan}-par-ensure-jwt-client-assertions-nbf-over-60-seconds-in-the-future-fails`]: async (stage) => {
    const ahead = { iat: now() + 70, nbf: now() + 70, exp: now() + 130 };
    expect(await push(stage, await assert(stage, ahead))).toMatchObject(badClient);
  },
  [`${plan}-ensure-signed-client-assertion-with-RS256-fails`]:
    'skipped: the suite needs a client with keys for PS256; tested in `client-assertion.store.test.ts`',
  [`${plan}-ensure-different-nonce-inside-and-outside-request-object`]: async (stage) => {
    const pushed = await push(stage);
    const callback = parametersOf(await stage.visitor.consent(`${addressOf(stage, pushed)}&nonce=another`));
    const { json } = await redeem(stage, callback['code']);
    expect(decodeJwt(String(json['id_token']))).toMatchObject({ nonce: 'any nonce' });
  },
  [`${plan}-ensure-different-state-inside-and-outside-request-object`]: async (stage) => {
    const pushed = await push(stage);
    const callback = parametersOf(await stage.visitor.consent(`${addressOf(stage, pushed)}&state=another`));
    expect(callback).toMatchObject({ state: 'any state', code: expect.any(String) });
  },
  [`${plan}-state-only-outside-request-object-not-used`]: async (stage) => {
    const pushed = await push(stage, { state: undefined });
    const callback = parametersOf(await stage.visitor.consent(`${addressOf(stage, pushed)}&state=another`));
    expect(callback).not.toHaveProperty('state');
  },
  [`${plan}-ensure-redirect-uri-in-authorization-request`]: pushRefused(
    { redirect_uri: undefined },
    /^invalid_request/,
  ),
  [`${plan}-ensure-registered-redirect-uri`]: 'not applicable: the suite runs the next one instead with plain FAPI',
  [`${plan}-plain-fapi-tolerate-unregistered-redirect-uri`]: pushRefused(
    { redirect_uri: 'https://other.example/callback' },
    /^invalid_request(?:_object)?$/,
  ),
  [`${plan}-ensure-request-object-without-redirect-uri-fails`]: pushRefused(
    { redirect_uri: undefined },
    /^invalid_request(?:_object)?$/,
  ),
  [`${plan}-ensure-response-type-code-idtoken-fails`]: pushRefused(
    { response_type: 'code id_token' },
    /^(unsupported_response_type|unauthorized_client|invalid_request)$/,
  ),
  [`${plan}-ensure-response-type-token-fails`]: pushRefused(
    { response_type: 'token' },
    /^(unsupported_response_type|unauthorized_client|invalid_request)$/,
  ),
  [`${plan}-ensure-unsigned-authorization-request-without-using-par-fails`]: async (stage) => {
    const { url } = await stage.visitor.open(stage.address(stage.world.signing, { scope: 'openid users' }));
    expect(parametersOf(url)).toMatchObject({ error: 'invalid_request', state: 'any state' });
  },
  [`${plan}-par-attempt-reuse-request_uri`]: async (stage) => {
    const pushed = await push(stage);
    expect(parametersOf(await stage.visitor.consent(addressOf(stage, pushed)))).toHaveProperty('code');
    const { url } = await stage.visitor.open(addressOf(stage, pushed));
    expect(parametersOf(url)).not.toHaveProperty('code');
  },
  [`${plan}-par-attempt-to-use-expired-request_uri`]:
    'not run: tested with a shifted clock in `pushed-request.store.test.ts`',
  [`${plan}-par-attempt-to-use-request_uri-for-different-client`]: async (stage) => {
    const pushed = await push(stage);
    const { url } = await stage.visitor.open(addressOf(stage, pushed, stage.world.web.id));
    expect(parametersOf(url)).not.toHaveProperty('code');
  },
  [`${plan}-par-ensure-reused-request-uri-prior-to-auth-completion-succeeds`]: async (stage) => {
    const pushed = await push(stage);
    await stage.world.visitor().open(addressOf(stage, pushed));
    const callback = parametersOf(await stage.visitor.consent(addressOf(stage, pushed)));
    expect(callback).toHaveProperty('code');
  },
  [`${plan}-par-attempt-invalid-http-method`]: async (stage) => {
    expect((await fetch(`${stage.world.issuer}${par}`)).status).toBeGreaterThanOrEqual(404);
    expect((await fetch(`${stage.world.issuer}${par}`, { method: 'PUT' })).status).toBeGreaterThanOrEqual(404);
  },
  [`${plan}-par-authorization-request-containing-request_uri-form-param`]: pushRefused(
    { request_uri: 'urn:ietf:params:oauth:request_uri:x' },
    /^(invalid_request|request_uri_not_supported)$/,
  ),
  [`${plan}-par-without-duplicate-parameters`]: async (stage) => {
    const pushed = await push(stage);
    expect(parametersOf(await stage.visitor.consent(addressOf(stage, pushed)))).toHaveProperty('code');
  },
  [`${plan}-par-ensure-pkce-required`]: pushRefused(
    { code_challenge: undefined, code_challenge_method: undefined },
    /^invalid_request$/,
  ),
  [`${plan}-ensure-pkce-code-verifier-required`]: async (stage) => {
    const { code } = await authorize(stage);
    expect(await redeem(stage, code, { changes: { code_verifier: undefined } })).toMatchObject(invalidGrant);
  },
  [`${plan}-incorrect-pkce-code-verifier-rejected`]: async (stage) => {
    const { code } = await authorize(stage);
    expect(await redeem(stage, code, { changes: { code_verifier: 'v'.repeat(43) } })).toMatchObject(invalidGrant);
  },
  [`${plan}-par-plain-pkce-rejected`]: pushRefused({ code_challenge_method: 'plain' }, /^invalid_request$/),
  [`${plan}-refresh-token`]: async (stage) => {
    const holder = await createHolder();
    const { json } = await redeem(stage, (await authorize(stage))['code'], { holder });
    const form = { grant_type: 'refresh_token', refresh_token: String(json['refresh_token']) };
    const refresh = async (one: Stage, withAssertion: boolean, prover: Holder | undefined) => {
      const dpop = await prover?.prove('POST', `${stage.world.issuer}${token}`);
      const fields = { client_id: one.world.signing.id, ...form, ...(withAssertion ? await assert(one) : {}) };
      return await one.post(token, fields, dpop === undefined ? {} : { dpop });
    };
    const response = await refresh(stage, true, holder);
    expect(response).toMatchObject({ status: 200, json: { token_type: 'DPoP' } });
    expect(await callApi(stage, response, { holder })).toBe(200);
    // No client authentication, no proof, another client. Another key is right: the client authenticates (RFC 9449 §5).
    expect((await refresh(stage, false, holder)).json).toMatchObject({ error: 'invalid_client' });
    expect(await refresh(stage, true, undefined)).toMatchObject(invalidGrant);
    expect(await refresh(stage, true, await createHolder())).toMatchObject({ status: 200 });
    expect(await refresh(ofSecondClient(stage), true, holder)).toMatchObject(invalidGrant);
    // The suite waits for 30 s, longer than a rotated token could be repeated. This one is not rotated.
    expect(response.json['refresh_token'] ?? form.refresh_token).toBe(form.refresh_token);
    expect(await refresh(stage, true, holder)).toMatchObject({ status: 200 });
  },
  [`${plan}-test-claims-parameter-identity-claims`]: succeedsWith({
    claims: JSON.stringify({ id_token: { name: { essential: true } }, userinfo: { given_name: null } }),
  }),
  [`${plan}-test-essential-acr-sca-claim`]: ofProfile('UK Open Banking'),
  [`${plan}-ensure-server-handles-non-matching-intent-id`]: ofProfile('UK Open Banking'),
  [`${plan}-australia-connectid-ensure-invalid-purpose-fails`]: ofProfile('ConnectID Australia'),
  [`${plan}-australia-connectid-test-claims-parameter-idtoken-identity-claims`]: ofProfile('ConnectID Australia'),
  [`${plan}-brazil-ensure-bad-payment-signature-fails`]: ofProfile('Open Finance Brazil'),
};
