import { hash } from 'node:crypto';
import type { ClientRequest } from 'node:http';

import { deviceGrantType } from '@linnet/applications/settings/protocol-settings';
import { jwksCacheSeconds } from '@linnet/contract/key-times';
import { languages } from '@linnet/contract/languages';
import { scopesNarrowFirst } from '@linnet/contract/scopes';
import type { DirectAnswer, DirectEndpoint } from '@linnet/service/http/direct-path';
import { dpopAlgorithms } from '@linnet/service/http/dpop';
import type Koa from 'koa';

import { promptValues } from './authorize/prompts.ts';
import { claimsOfScopes, contextClasses } from './claims/claims.ts';
import { assertionAlgorithms } from './client/client-assertion.ts';
import { openDocuments, paths, registrationPath, userinfoPath } from './request/routes.ts';
import { openidScopes } from './token/requested-scope.ts';

/** The members of the provider's document that are correct; it would also advertise disabled features. */
const keptMembers = [
  'issuer',
  'authorization_endpoint',
  'token_endpoint',
  'pushed_authorization_request_endpoint',
  'device_authorization_endpoint',
  'jwks_uri',
  'revocation_endpoint',
  'introspection_endpoint',
  'code_challenge_methods_supported',
  'authorization_response_iss_parameter_supported',
  'subject_types_supported',
  'id_token_signing_alg_values_supported',
] as const;

const added = {
  response_types_supported: ['code', 'token'],
  response_modes_supported: ['query', 'fragment', 'form_post'],
  grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials', 'implicit', deviceGrantType],
  scopes_supported: [...openidScopes, ...scopesNarrowFirst],
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
  token_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
  dpop_signing_alg_values_supported: dpopAlgorithms,
  revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
  revocation_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
  introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
  introspection_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
  // In the ID token and in /oauth/userinfo.
  claims_supported: [
    ...['iss', 'sub', 'aud', 'exp', 'iat', 'nonce', 'auth_time', 'acr', 'amr', 'sid'],
    ...claimsOfScopes.profile,
    ...claimsOfScopes.email,
  ],
  acr_values_supported: contextClasses,
  prompt_values_supported: promptValues,
  backchannel_logout_supported: true,
  backchannel_logout_session_supported: true,
  ui_locales_supported: languages,
  // `authorization_expires_in` of token responses (draft-ietf-oauth-refresh-token-expiration).
  refresh_token_expiration_types_supported: ['authorization'],
  request_parameter_supported: false,
  request_uri_parameter_supported: false,
  // Scopes decide about claims. The parameter adds none (`claims.ts`).
  claims_parameter_supported: false,
};

/** Of the keys and the metadata. */
const cacheControl = `public, max-age=${String(jwksCacheSeconds)}`;

const cached: ReadonlySet<string> = new Set([paths.jwks, paths.authorizationServerMetadata, paths.openidConfiguration]);

interface Switches {
  /** Whether clients can register themselves. */
  readonly dynamicRegistration: boolean;
  /** Whether a client_id can be the URL of a metadata document. */
  readonly clientIdMetadataDocuments: readonly string[];
}

/**
 * Makes the RFC 8414 and OpenID Connect metadata advertise exactly what works (checklist KY1). It may be cached, as keys may.
 */
export function serverMetadata({ dynamicRegistration, clientIdMetadataDocuments }: Switches): Koa.Middleware {
  return async (ctx, next) => {
    await next();
    if (ctx.status !== 200) return;
    if (!cached.has(ctx.path)) return;
    ctx.set('Cache-Control', cacheControl);
    if (ctx.path === paths.jwks) return;
    const document: unknown = ctx.body;
    if (typeof document !== 'object' || document === null) return;
    const issuer = String(Reflect.get(document, 'issuer'));
    ctx.body = {
      ...Object.fromEntries(keptMembers.map((name) => [name, Reflect.get(document, name)])),
      userinfo_endpoint: issuer + userinfoPath,
      end_session_endpoint: issuer + paths.endSession,
      ...(dynamicRegistration ? { registration_endpoint: issuer + registrationPath } : {}),
      ...(clientIdMetadataDocuments.length > 0 ? { client_id_metadata_document_supported: true } : {}),
      ...added,
    };
  };
}

/**
 * The documents that are the same for everyone, such as the keys: they get an ETag, and their bytes are kept for the direct
 * path. Each key ring has its own handler and so its own documents.
 */
export interface Documents {
  /** Around what makes the documents. Keeps each of them when it is first sent. */
  readonly middleware: Koa.Middleware;
  /** Answers requests for documents that were sent before. */
  readonly directEndpoints: readonly DirectEndpoint[];
}

/** With them the response differs. */
const unusualHeaders = ['origin', 'if-none-match', 'if-modified-since'];

export function createDocuments(): Documents {
  const kept = new Map<string, DirectAnswer>();
  return {
    middleware: async (ctx, next) => {
      await next();
      const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
      if (!isRead || ctx.status !== 200 || !openDocuments.has(ctx.path)) return;
      const body = Buffer.from(JSON.stringify(ctx.body));
      ctx.etag = hash('sha256', body, 'base64url');
      // Koa keeps the type that the document already has.
      ctx.body = body;
      // A query can set a cookie.
      if (ctx.get('origin') === '' && ctx.url === ctx.path) kept.set(ctx.path, { headers: listHeaders(ctx.res), body });
      if (ctx.fresh) ctx.status = 304;
    },
    directEndpoints: [...openDocuments].map((target) => ({
      method: 'GET',
      target,
      anyHost: true,
      answer: ({ request: { headers } }) =>
        unusualHeaders.some((name) => headers[name] !== undefined) ? undefined : kept.get(target),
    })),
  };
}

/** Not the same in each response. */
const ofResponse = /^(?:x-request-id|content-length|connection|strict-transport-security)$/i;

/** In the order and case in which they are sent. */
function listHeaders(response: Koa.Context['res']): readonly string[] {
  // The types declare it for requests only.
  const { getRawHeaderNames } = response as Koa.Context['res'] & Pick<ClientRequest, 'getRawHeaderNames'>;
  const names = getRawHeaderNames.call(response).filter((name) => !ofResponse.test(name));
  return names.flatMap((name) => [response.getHeader(name)].flat().flatMap((value) => [name, String(value)]));
}

const header = 'Access-Control-Allow-Origin';

/**
 * Never allows the origin `null`, which sandboxed frames, local files and many other documents share. The provider
 * repeats the Origin header; documents that every page may read get `*` instead.
 */
export const rejectNullOrigin: Koa.Middleware = async (ctx, next) => {
  try {
    await next();
  } finally {
    if (ctx.response.get(header) === 'null') {
      if (openDocuments.has(ctx.path)) ctx.set(header, '*');
      else ctx.remove(header);
    }
  }
};
