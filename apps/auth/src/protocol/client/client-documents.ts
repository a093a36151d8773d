import type { ApplicationDatabase } from '@linnet/applications/application/application-store';
import { ApplicationRefused, isClientUrl } from '@linnet/applications/application/application';
import { createMetadataDocuments } from '@linnet/applications/metadata-documents/metadata-documents';
import type { MetadataDocuments } from '@linnet/applications/metadata-documents/metadata-documents';
import type { DocumentState } from '@linnet/applications/metadata-documents/document-store';
import { MetadataRefused } from '@linnet/applications/self-registration/client-metadata';
import { TooManyRegistrations } from '@linnet/applications/self-registration/self-registration';
import { acceptsHost } from '@linnet/service/config/environment';
import { LRUCache } from 'lru-cache';
import { Provider, errors } from 'oidc-provider';

import type { RequestLimits } from '../limits/request-limits.ts';
import type { ClientCache, FindClient } from './client-cache.ts';
import { createDocumentFetch } from './document-fetch.ts';
import type { FetchDocument, FetchOutcome } from './document-fetch.ts';

/**
 * A client whose metadata document cannot be used; the first argument is sent, the second one is for the log. Shown as a
 * page at the authorization endpoint.
 */
class DocumentRefused extends errors.InvalidClient {
  override allow_redirect = false;
}

/** The same for every reason: it must not reveal what a server on the network does (MD4). */
const cannotFetch =
  'the document at client_id cannot be fetched: it must be JSON of up to 5 KB that a public server returns with status 200 and without redirect';

/** Too many clients are unknown at the same time. Shown as a page, like every error that is not about a known client. */
class DocumentsBusy extends errors.OIDCProviderError {
  override readonly name = 'DocumentsBusy';
  override allow_redirect = false;

  constructor() {
    super(503, 'temporarily_unavailable');
    this.error_description = 'too many unknown clients at the moment; try again later';
  }
}

function refuseBusy(): Error {
  return new DocumentsBusy();
}

/** The error of a document that was fetched and cannot be stored. Other errors are returned as they are. */
function explainDocument(error: unknown): unknown {
  if (error instanceof TooManyRegistrations) return refuseBusy();
  if (!(error instanceof MetadataRefused || error instanceof ApplicationRefused)) return error;
  return new DocumentRefused(`the document at client_id is not valid: ${withoutValues(error.message)}`);
}

/** Anyone can link to the page that shows it, so it says nothing that the document says. RFC 6749 §5.2: printable ASCII. */
function withoutValues(message: string): string {
  return message
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '...')
    .replaceAll('\n', ' ')
    .replaceAll('’', "'")
    .replaceAll(/[^ -~]|["\\]/g, '?');
}

/** How long a failed fetch is not repeated. */
const failureMs = 10_000;
const maxRemembered = 1000;
/** Fetches that one process runs at a time. */
const maxPending = 50;

interface LoadOptions {
  readonly clients: ClientCache;
  readonly documents: MetadataDocuments;
  readonly fetchDocument: FetchDocument;
  /** Call before a document of an unknown client is fetched. @throws RateLimited */
  readonly admitUnknown: () => Promise<void>;
}

/**
 * Fetches and stores a document, unless that was done since its state was read, at a time of `performance.now()`. A stored one is
 * still used for a while if its server does not respond.
 */
type Load = (clientUrl: string, state: DocumentState | undefined, readAt: number) => Promise<void>;

function createLoad(options: LoadOptions): Load {
  const { clients, documents, fetchDocument, admitUnknown } = options;
  const failures = new LRUCache<string, DocumentRefused>({ max: maxRemembered, ttl: failureMs, ttlResolution: 0 });
  const loadedAt = new LRUCache<string, number>({ max: maxRemembered });
  const pending = new Map<string, Promise<void>>();

  const load = async (clientUrl: string, state: DocumentState | undefined) => {
    try {
      await apply(documents, clientUrl, await fetchDocument(clientUrl, state?.etag ?? undefined));
      loadedAt.set(clientUrl, performance.now());
      clients.forget(clientUrl);
    } catch (error) {
      const explained = explainDocument(error);
      if (explained instanceof DocumentRefused) failures.set(clientUrl, explained);
      throw explained;
    }
  };

  /** Concurrent requests share a fetch. */
  const loadOnce: Load = async (clientUrl, state, readAt) => {
    if ((loadedAt.get(clientUrl) ?? -Infinity) >= readAt) return;
    const failure = failures.get(clientUrl);
    if (failure !== undefined) throw failure;
    if (state === undefined && !pending.has(clientUrl)) await admitUnknown();
    if (pending.size >= maxPending && !pending.has(clientUrl)) throw refuseBusy();
    const running = pending.get(clientUrl) ?? load(clientUrl, state).finally(() => pending.delete(clientUrl));
    pending.set(clientUrl, running);
    await running;
  };

  return async (clientUrl, state, readAt) => {
    try {
      await loadOnce(clientUrl, state, readAt);
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

/**
 * Clients whose id is the URL of their metadata document. The application that the document describes is an ordinary row,
 * so everything else treats them like any client; before the provider uses it, this makes sure that the row is what the
 * document says.
 */
interface DocumentClientsOptions {
  /** CLIENT_ID_METADATA_DOCUMENTS */
  readonly clientIdMetadataDocuments: readonly string[];
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
    if (!acceptsHost(options.clientIdMetadataDocuments, new URL(clientId).hostname)) return undefined;
    const { ctx } = Provider;
    const isRequesting = ctx !== undefined && ctx.oidc.client === undefined;
    return isRequesting && !(await isUpToDate(clientId)) ? undefined : await clients.find(clientId);
  };
}

/** Resolves when the row of the client is up to date; to false if it must not be used. @throws DocumentRefused */
type Refresh = (clientUrl: string) => Promise<boolean>;

function createRefresh({ db, baseUrl, serviceName, limits }: DocumentClientsOptions, clients: ClientCache): Refresh {
  const documents = createMetadataDocuments(db, { rules: { serviceName, baseUrl } });
  const load = createLoad({
    clients,
    documents,
    fetchDocument: createDocumentFetch({ baseUrl }),
    admitUnknown: async () => {
      if (Provider.ctx !== undefined) await limits.addsClient(Provider.ctx, 'document');
    },
  });
  return async (clientUrl) => {
    const readAt = performance.now();
    const state = await documents.find(clientUrl);
    if (state?.isSuspended === true) return false;
    if (state === undefined || state.freshSeconds <= 0) await load(clientUrl, state, readAt);
    return true;
  };
}
