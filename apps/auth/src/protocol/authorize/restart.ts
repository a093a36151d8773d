/** Starts an authorization request again whose interaction has ended. */

import { createHmac } from 'node:crypto';

import type { Queryable } from '@linnet/db/statement/transaction';
import { UnsecuredJWT, decodeJwt } from 'jose';
import { z } from 'zod';

import { omittedParameter } from '../client/omitted-redirect-uri.ts';
import { paths } from '../request/routes.ts';
import { findArtifact } from '../storage/artifact-store.ts';
import { afterSeconds, nowSeconds, openPayload, sealPayload, sha256 } from '../storage/stored-payload.ts';
import { agentParameter, listResources } from '../token/resource-server.ts';
import { pushedRequestKind, replacePushedRequest } from './pushed-request-store.ts';
import { slackSeconds } from './pushed-request.ts';

/** Starts a pushed request again, under another `request_uri`. */

/** Like that of a new pushed request (`MAX_TTL` of the provider). */
const secondsToOpen = 60;

const uriPrefix = 'urn:ietf:params:oauth:request_uri:';

/** The provider stores the parameters as an unsigned JWT, which has an expiry of its own. */
const pushedPayload = z.looseObject({ request: z.string() });

/**
 * Stores a copy that must be opened within 60 seconds, and returns its `request_uri`. The copy's id is derived from the
 * interaction's, so that an interaction has one copy, however often it is restarted. Undefined if there is no such
 * pushed request.
 */
async function copyPushedRequest(
  db: Queryable,
  { interactionUid, pushedId }: { readonly interactionUid: string; readonly pushedId: string },
): Promise<string | undefined> {
  const found = await findArtifact(db, pushedRequestKind, sha256(pushedId));
  if (found === undefined) return undefined;
  const { request, ...rest } = pushedPayload.parse(openPayload(pushedId, found.payload));
  const now = nowSeconds();
  const times = { iat: now, exp: now + secondsToOpen };
  const id = createHmac('sha256', interactionUid).update('copy of the pushed request').digest('base64url');
  const copy = new UnsecuredJWT({ ...decodeJwt(request), ...times, nbf: now }).encode();
  const payload = sealPayload(id, { ...rest, ...times, request: copy });
  await replacePushedRequest(db, {
    idSha256: sha256(id),
    payload,
    expiresAt: afterSeconds(secondsToOpen + slackSeconds),
  });
  return `${uriPrefix}${id}`;
}

export interface Restarts {
  /** Whether there is an interaction `uid`, which may have ended. */
  readonly exists: (uid: string) => Promise<boolean>;
  /**
   * The URL that restarts the authorization request of an interaction. A pushed request stays one: it gets a new
   * `request_uri`, and the URL has none of its parameters. Undefined if the interaction or the pushed request is deleted.
   */
  readonly restart: (uid: string) => Promise<string | undefined>;
}

/** The members of an interaction that are needed to restart it; `parJti` is the id of the pushed request. */
const interactionPayload = z.object({ params: z.record(z.string(), z.unknown()), parJti: z.string().optional() });

export function createRestarts(db: Queryable): Restarts {
  async function find(uid: string) {
    const found = await findArtifact(db, 'Interaction', sha256(uid));
    return found && interactionPayload.safeParse(openPayload(uid, found.payload)).data;
  }
  return {
    exists: async (uid) => (await find(uid)) !== undefined,
    restart: async (uid) => {
      const interaction = await find(uid);
      if (interaction === undefined) return undefined;
      const { params, parJti: pushedId } = interaction;
      if (pushedId === undefined) return toAuthorizationRequest(params);
      const requestUri = await copyPushedRequest(db, { interactionUid: uid, pushedId });
      if (requestUri === undefined) return undefined;
      const query = new URLSearchParams({ client_id: String(params['client_id']), request_uri: requestUri });
      return `${paths.authorization}?${query.toString()}`;
    },
  };
}

/** The parameters that a restarted authorization request keeps, as the application sent them. */
const keptParameters = [
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
  'prompt',
  'max_age',
  'login_hint',
  'ui_locales',
  'id_token_hint',
  'dpop_jkt',
  'claims',
  agentParameter,
] as const;

/** The URL of an authorization request that was not pushed, with an interaction's parameters. */
export function toAuthorizationRequest(params: Readonly<Record<string, unknown>>): string {
  // `none` stands for `token`, whose only response mode is the fragment (see implicit-token).
  const isImplicit = params['response_type'] === 'none';
  const query = new URLSearchParams({ response_type: isImplicit ? 'token' : 'code' });
  for (const name of keptParameters) {
    const value = name === 'redirect_uri' && params[omittedParameter] !== undefined ? undefined : params[name];
    if (typeof value === 'string' || typeof value === 'number') query.set(name, String(value));
  }
  for (const resource of listResources(params['resource'])) query.append('resource', resource);
  const mode = params['response_mode'];
  if (!isImplicit && typeof mode === 'string') query.set('response_mode', mode);
  return `${paths.authorization}?${query.toString()}`;
}
