/**
 * The epochs that a token is issued with. They are read by the statement that finds the grant, so that
 * whatever changes afterwards, until the token is signed, ends it: read later, they could vouch for
 * what was taken away in between.
 */
import { Provider } from 'oidc-provider';

/** Of a grant and of the account that gave it. */
export interface GrantEpochs {
  readonly grant: number;
  readonly account: number;
  /** When the grant ends, in milliseconds of this process's clock; no token of it lives longer. */
  readonly endsAt: number | undefined;
}

export interface EpochSnapshots {
  /** Keeps those of a grant that the present request found; the first it found stay. */
  remember(grantId: string, epochs: GrantEpochs): void;
  /** @throws Error when the request has not looked for the grant. */
  recall(grantId: string): GrantEpochs;
}

/** `currentRequest` identifies the request that is being answered. */
export function createEpochSnapshots(currentRequest: () => object | undefined = () => Provider.ctx): EpochSnapshots {
  const found = new WeakMap<object, Map<string, GrantEpochs>>();
  return {
    remember: (grantId, epochs) => {
      const request = currentRequest();
      if (request === undefined) return;
      const ofRequest = found.get(request) ?? new Map<string, GrantEpochs>();
      found.set(request, ofRequest);
      if (!ofRequest.has(grantId)) ofRequest.set(grantId, epochs);
    },
    recall: (grantId) => {
      const request = currentRequest();
      const epochs = request === undefined ? undefined : found.get(request)?.get(grantId);
      if (epochs === undefined) throw new Error('a token was to be issued for a grant that was not looked for');
      return epochs;
    },
  };
}
