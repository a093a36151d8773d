/**
 * Clients whose id is the URL of their metadata document. The application that the document describes is an ordinary row,
 * so everything else treats them like any client; before the provider uses it, this makes sure that the row is what the
 * document says.
 */
import { isClientUrl } from '@linnet/applications/application/application';
import type { ApplicationDatabase } from '@linnet/applications/application/application-store';
import { createMetadataDocuments } from '@linnet/applications/metadata-documents/metadata-documents';
import { Provider } from 'oidc-provider';

import type { ClientCache, FindClient } from '../client/client-cache.ts';
import type { RequestLimits } from '../limits/request-limits.ts';
import { createDocumentFetch } from './document-fetch.ts';
import { createLoad } from './document-load.ts';

interface DocumentClientsOptions {
  /** CLIENT_ID_METADATA_DOCUMENTS */
  readonly clientIdMetadataDocuments: boolean;
  readonly baseUrl: string;
  readonly serviceName: string;
  readonly db: ApplicationDatabase;
  readonly limits: Pick<RequestLimits, 'addsClient'>;
}

/**
 * Finds clients like `clients`. Of the client that sends the request, it first fetches a document that is missing or no
 * longer fresh. Pages and introspection name clients that sent their request before, so these are found as stored.
 * @throws DocumentRefused for a client without a usable document
 */
export function createFindForProvider(options: DocumentClientsOptions, clients: ClientCache): FindClient {
  const isUpToDate = createRefresh(options, clients);
  return async (clientId) => {
    if (!isClientUrl(clientId)) return await clients.find(clientId);
    if (!options.clientIdMetadataDocuments) return undefined;
    const { ctx } = Provider;
    const isRequesting = ctx !== undefined && ctx.oidc.client === undefined;
    return isRequesting && !(await isUpToDate(clientId)) ? undefined : await clients.find(clientId);
  };
}

/** Resolves when the row of the client is up to date; to false if it must not be used. @throws DocumentRefused */
type Refresh = (clientUrl: string) => Promise<boolean>;

function createRefresh({ db, baseUrl, serviceName, limits }: DocumentClientsOptions, clients: ClientCache): Refresh {
  const documents = createMetadataDocuments(db, { rules: { serviceName } });
  const load = createLoad({
    clients,
    documents,
    fetchDocument: createDocumentFetch({ baseUrl }),
    admitUnknown: async () => {
      if (Provider.ctx !== undefined) await limits.addsClient(Provider.ctx, 'document');
    },
  });
  return async (clientUrl) => {
    const state = await documents.find(clientUrl);
    if (state?.isSuspended === true) return false;
    if (state === undefined || state.freshSeconds <= 0) await load(clientUrl, state);
    return true;
  };
}
