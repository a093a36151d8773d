/**
 * The epochs that a token is issued with. The statement that finds the grant reads them, so that every change between
 * that moment and the signature revokes the token. Read later, they could cover scopes that were just removed.
 */
import { Provider } from 'oidc-provider';

/** The epochs of a grant and of its account. */
export interface GrantEpochs {
  readonly grant: number;
  readonly account: number;
  /** When the grant expires, in milliseconds of this process's clock; its tokens expire no later. */
  readonly endsAt: number | undefined;
}

export interface EpochSnapshots {
  /** Keeps the epochs of a grant for the current request. Later calls for the same grant change nothing. */
  remember(grantId: string, epochs: GrantEpochs): void;
  /** @throws Error if the current request has not loaded the grant. */
  get(grantId: string): GrantEpochs;
}

/** `currentRequest` returns an object that identifies the current request. */
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
    get: (grantId) => {
      const request = currentRequest();
      const epochs = request === undefined ? undefined : found.get(request)?.get(grantId);
      if (epochs === undefined) throw new Error('the grant of the token was not loaded in this request');
      return epochs;
    },
  };
}
