/** Starts a pushed request again, under another `request_uri`. */
import { createHmac } from 'node:crypto';

import type { Queryable } from '@linnet/db/database';
import { UnsecuredJWT, decodeJwt } from 'jose';
import { z } from 'zod';

import { nowSeconds } from '../now.ts';
import { findArtifact } from '../storage/artifact-store.ts';
import { openPayload, sealPayload } from '../storage/sealed-payload.ts';
import { sha256 } from '../storage/stored-id.ts';
import { afterSeconds } from '../storage/stored-payload.ts';
import { pushedRequestKind, replacePushedRequest } from './pushed-request-store.ts';
import { slackSeconds } from './pushed-request-adapter.ts';

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
export async function copyPushedRequest(
  db: Queryable,
  { interactionUid, pushedId }: { readonly interactionUid: string; readonly pushedId: string },
): Promise<string | undefined> {
  const found = await findArtifact(db, pushedRequestKind, sha256(pushedId));
  if (found === undefined) return undefined;
  const { request, ...rest } = pushedPayload.parse(await openPayload(pushedId, found.payload));
  const now = nowSeconds();
  const times = { iat: now, exp: now + secondsToOpen };
  const id = createHmac('sha256', interactionUid).update('copy of the pushed request').digest('base64url');
  const copy = new UnsecuredJWT({ ...decodeJwt(request), ...times, nbf: now }).encode();
  const payload = await sealPayload(id, { ...rest, ...times, request: copy });
  await replacePushedRequest(db, {
    idSha256: sha256(id),
    payload,
    expiresAt: afterSeconds(secondsToOpen + slackSeconds),
  });
  return `${uriPrefix}${id}`;
}
