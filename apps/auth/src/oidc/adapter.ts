import type { Adapter, AdapterFactory } from 'oidc-provider';

import type { FindClient } from './client-cache.ts';
import { toClientMetadata } from './client.ts';

/**
 * What the provider keeps. Applications are read only, and access tokens are JWTs that nobody
 * stores; a call for anything else is a fault of ours and answered as one.
 */
export function createAdapter(findClient: FindClient): AdapterFactory {
  return (model) => ({ ...refusingAdapter(model), ...(model === 'Client' ? { find: findMetadata } : {}) });

  async function findMetadata(clientId: string) {
    const registration = await findClient(clientId);
    return registration === undefined ? undefined : toClientMetadata(registration);
  }
}

function refusingAdapter(model: string): Adapter {
  const refuse = (method: keyof Adapter) => () => Promise.reject(new Error(`${model} is not stored: ${method}`));
  return {
    upsert: refuse('upsert'),
    find: refuse('find'),
    findByUserCode: refuse('findByUserCode'),
    findByUid: refuse('findByUid'),
    consume: refuse('consume'),
    destroy: refuse('destroy'),
    revokeByGrantId: refuse('revokeByGrantId'),
  };
}
