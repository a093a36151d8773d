/**
 * HTTP Basic with an empty secret, which is how several client libraries identify a public client: the secret of a
 * client that has none is the empty string (RFC 6749 §2.3.1). The provider refuses it. A client with credentials gets
 * no further by it.
 */
import type Koa from 'koa';
import { errors } from 'oidc-provider';

import type { ParameterStep } from '../request/parameters.ts';
import { clientEndpoints, paths } from '../request/routes.ts';
import type { FindClient } from './client-cache.ts';

interface EmptySecretState {
  /** The client that was named by HTTP Basic without a secret. */
  clientOfEmptySecret?: string;
}

const basic = /^basic +([A-Za-z0-9+/]+={0,2})$/i;
const otherEndpoints: ReadonlySet<string> = new Set([paths.revocation, paths.introspection]);

/** Takes the header of a public client away; `nameClientOfEmptySecret` then names the client like `client_id`. */
export function acceptEmptySecret(find: FindClient): Koa.Middleware {
  return async (ctx, next) => {
    const isClientEndpoint = clientEndpoints.has(ctx.path) || otherEndpoints.has(ctx.path);
    const clientId = isClientEndpoint ? readClientId(ctx.get('authorization')) : undefined;
    const client = clientId === undefined ? undefined : await find(clientId);
    if (clientId !== undefined && client !== undefined && client.type !== 'confidential') {
      const state: EmptySecretState = ctx.state;
      state.clientOfEmptySecret = clientId;
      delete ctx.req.headers.authorization;
    }
    await next();
  };
}

/** The client, if the secret is empty. An id that is a URL is form-encoded (RFC 6749 §2.3.1). */
function readClientId(authorization: string): string | undefined {
  const encoded = basic.exec(authorization)?.[1];
  if (encoded === undefined) return undefined;
  const clientId = /^([\w.%~-]+):$/.exec(Buffer.from(encoded, 'base64').toString())?.[1];
  return clientId === undefined ? undefined : decode(clientId);
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

export const nameClientOfEmptySecret: ParameterStep = ({ ctx }, parameters) => {
  const { clientOfEmptySecret: clientId }: EmptySecretState = ctx.state;
  if (clientId === undefined) return;
  if (parameters['client_id'] !== undefined && parameters['client_id'] !== clientId) {
    throw new errors.InvalidRequest('client_id mismatch');
  }
  parameters['client_id'] = clientId;
};
