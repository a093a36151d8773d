import type { DocumentState, MetadataDocuments } from '@linnet/applications/metadata-documents/metadata-documents';
import { LRUCache } from 'lru-cache';

import type { ClientCache } from '../client/client-cache.ts';
import type { FetchDocument } from './document-fetch.ts';
import type { FetchOutcome } from './document-response.ts';
import { DocumentRefused, cannotFetch, explainDocument, refuseBusy } from './document-refused.ts';

/** How long a failed fetch is not repeated. */
const failureMs = 10_000;
const maxRemembered = 1000;
/** Fetches that one process runs at a time. */
const maxPending = 50;

export interface LoadOptions {
  readonly clients: ClientCache;
  readonly documents: MetadataDocuments;
  readonly fetchDocument: FetchDocument;
  /** Call before a document of an unknown client is fetched. @throws RateLimited */
  readonly admitUnknown: () => Promise<void>;
  readonly now?: () => number;
}

/** Fetches and stores a document. A stored one is still used for a while if its server does not respond. */
export type Load = (clientUrl: string, state: DocumentState | undefined) => Promise<void>;

export function createLoad(options: LoadOptions): Load {
  const { clients, documents, fetchDocument, admitUnknown, now = () => performance.now() } = options;
  const perf = { now };
  const failures = new LRUCache<string, DocumentRefused>({
    max: maxRemembered,
    ttl: failureMs,
    ttlResolution: 0,
    perf,
  });
  const pending = new Map<string, Promise<void>>();

  const load: Load = async (clientUrl, state) => {
    try {
      await apply(documents, clientUrl, await fetchDocument(clientUrl, state?.etag ?? undefined));
      clients.forget(clientUrl);
    } catch (error) {
      const explained = explainDocument(error);
      if (explained instanceof DocumentRefused) failures.set(clientUrl, explained);
      throw explained;
    }
  };

  /** Concurrent requests share a fetch. */
  const loadOnce: Load = async (clientUrl, state) => {
    const failure = failures.get(clientUrl);
    if (failure !== undefined) throw failure;
    if (state === undefined && !pending.has(clientUrl)) await admitUnknown();
    if (pending.size >= maxPending && !pending.has(clientUrl)) throw refuseBusy();
    const running = pending.get(clientUrl) ?? load(clientUrl, state).finally(() => pending.delete(clientUrl));
    pending.set(clientUrl, running);
    await running;
  };

  return async (clientUrl, state) => {
    try {
      await loadOnce(clientUrl, state);
    } catch (error) {
      const isUsable = state !== undefined && state.usableSeconds > 0;
      if (!(error instanceof DocumentUnavailable && isUsable)) throw error;
    }
  };
}

/** The server of the document does not respond. A document that was fetched before may still be used for a while. */
class DocumentUnavailable extends DocumentRefused {}

async function apply(documents: MetadataDocuments, clientUrl: string, outcome: FetchOutcome): Promise<void> {
  if (outcome.kind === 'received') await documents.store(clientUrl, outcome.received);
  else if (outcome.kind === 'unchanged') await documents.confirm(clientUrl, outcome.freshSeconds);
  else if (outcome.kind === 'unavailable') throw new DocumentUnavailable(cannotFetch, outcome.reason);
  else throw new DocumentRefused(cannotFetch, outcome.reason);
}
