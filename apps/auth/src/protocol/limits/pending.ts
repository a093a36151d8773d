/** Bounds what strangers can make the service store: pushed requests, device codes and interactions. */
import type { Queryable } from '@linnet/db/database';
import { Provider, errors } from 'oidc-provider';

import type { RequestLimits } from './request-limits.ts';

/** Bytes of JSON, by kind. All but device codes are sealed, which makes the stored text a third longer. */
const maxPendingBytes = {
  PushedAuthorizationRequest: 12_288,
  Interaction: 18_432,
  DeviceCode: 4096,
} as const;

type PendingKind = keyof typeof maxPendingBytes;

/** Call before a new one is stored. @throws InvalidRequest if it is too large, RateLimited if there were too many. */
export type AdmitPending = (kind: PendingKind, payload: object) => Promise<void>;

export interface PendingStorage {
  readonly db: Queryable;
  readonly admitPending: AdmitPending;
}

export function admitPending(limits: Pick<RequestLimits, 'storesPending'>): AdmitPending {
  return async (kind, payload) => {
    const { ctx } = Provider;
    // Our pages update interactions, without a context of the provider.
    if (ctx === undefined) return;
    if (Buffer.byteLength(JSON.stringify(payload)) > maxPendingBytes[kind]) throw new RequestTooLarge();
    await limits.storesPending(ctx);
  };
}

/** Shown as a page at the authorization endpoint: a redirect would repeat what is too large. */
class RequestTooLarge extends errors.InvalidRequest {
  override allow_redirect = false;

  constructor() {
    super('the parameters of the request are too large in total');
  }
}
