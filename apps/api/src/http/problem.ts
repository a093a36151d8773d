import { HashQueueFull } from '@linnet/accounts/hash-queue';
import type { FailureDetails, NewFailure } from '@linnet/applications/failures/failure';
import { toStorableNames } from '@linnet/applications/failures/failure';
import { insertFailures } from '@linnet/applications/failures/failure-store';
import { countRepeats } from '@linnet/applications/failures/repeats';
import { errorTitle } from '@linnet/contract/error-titles';
import { errorCatalogue } from '@linnet/contract/errors';
import type { Problem } from '@linnet/contract/errors';
import { negotiateLanguage } from '@linnet/contract/languages';
import type { Language } from '@linnet/contract/languages';
import type { Queryable } from '@linnet/db/statement/transaction';
import { storeApart } from '@linnet/db/store-apart';
import { DatabaseBusy, DatabaseUnavailable, TestPeopleApart } from '@linnet/db/connection/database-error';
import { StorageUnavailable } from '@linnet/media/storage/media-storage';
import { createBatchWriter } from '@linnet/service/jobs/batch-writer';
import type { Logger } from '@linnet/service/log/logger';
import accepts from 'accepts';

import { ApiError } from './api-error.ts';
import type { Exchange } from './exchange.ts';
import type { Reply } from './reply.ts';
import { apiPath } from './router.ts';
import { findRejectedToken } from './token-verifier.ts';

/** Turns an error into a problem (RFC 9457) in the language of the request, logs it if it is ours, and records it. */
export type ToProblem = (exchange: Exchange, error: unknown) => Reply;

export function createToProblem(baseUrl: string, logger: Logger, record?: RecordFailure): ToProblem {
  return (exchange, error) => {
    const apiError = toApiError(error);
    const { code, details } = apiError;
    const { requestId } = exchange.state;
    logFailure(logger, { error, requestId, isOurs: code === 'internal-error' });
    record?.(exchange, apiError);
    const language = languageOf(exchange);
    const { status, detail } = errorCatalogue[code];
    const problem: Problem = {
      type: `${baseUrl}/problems/${code}`,
      title: errorTitle(code, language),
      status,
      detail: details.detail ?? detail,
      code,
      errors: details.errors ?? [],
      request_id: requestId,
    };
    const body = JSON.stringify({ ...problem, ...details.members });
    return { status, type: 'application/problem+json', body, language, headers: details.headers };
  };
}

function languageOf({ request }: Exchange): Language {
  return negotiateLanguage({ acceptsLanguages: (...supported) => accepts(request).languages(supported) });
}

interface LoggedFailure {
  readonly error: unknown;
  readonly requestId: unknown;
  readonly isOurs: boolean;
}

function logFailure(logger: Logger, { error: err, requestId, isOurs }: LoggedFailure): void {
  if (isOurs) logger.error({ err, requestId }, 'request failed');
  else if (err instanceof DatabaseUnavailable) logger.warn({ err, requestId }, 'database unavailable');
  else if (err instanceof StorageUnavailable) logger.warn({ err, requestId }, 'media store unavailable');
  else if (err instanceof ApiError && err.code === 'storage-full') {
    logger.warn({ err: err.cause, requestId }, 'media cannot be stored');
  }
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof TestPeopleApart) return new ApiError('test-people-apart', { cause: error });
  if (error instanceof DatabaseBusy || error instanceof HashQueueFull) {
    return new ApiError('overloaded', { headers: { 'Retry-After': '1' }, cause: error });
  }
  if (error instanceof DatabaseUnavailable) {
    return new ApiError('unavailable', { headers: { 'Retry-After': '1' }, cause: error });
  }
  if (error instanceof StorageUnavailable) {
    return new ApiError('unavailable', { headers: { 'Retry-After': '5' }, cause: error });
  }
  return new ApiError('internal-error', { cause: error });
}

/** What it needs of an exchange. */
interface Failed {
  readonly request: Pick<Exchange['request'], 'method'>;
  readonly state: Partial<Exchange['state']>;
}

type RecordFailure = (failed: Failed, error: ApiError) => void;

/**
 * Records the failed requests of applications: in memory at first, then in batches that no response waits for. Of
 * what a client chose, only names of parameters are recorded: the path is that of the route.
 */
export function createFailureRecord({ db, logger }: { db: Queryable; logger: Logger }): RecordFailure {
  const onLost = (count: number, err: unknown) =>
    logger.error({ err, count }, 'failed requests were not written to the request log');
  const writer = createBatchWriter<NewFailure>({
    store: async (failures) =>
      await storeApart(
        failures,
        async (part) => await insertFailures(db, part),
        (part, cause) => onLost(part.length, cause),
      ),
    onLost,
  });
  const write = countRepeats<NewFailure>((failure) => writer.add(failure));
  return ({ request, state }, error) => {
    const { status } = errorCatalogue[error.code];
    const { requestId, route = apiPath, clientId: authenticated } = state;
    if (isUnrecorded(error)) return;
    const token = authenticated === undefined ? findRejectedToken(error) : undefined;
    const clientId = authenticated ?? token?.clientId;
    if (clientId === undefined) return;
    const details = { method: String(request.method), ...describe(error), ...token?.details };
    write({
      ...{ clientId, requestId, at: new Date(), kind: 'api', cause: token?.cause, details },
      ...{ endpoint: route, error: error.code, reason: '', status, authenticated: authenticated !== undefined },
    });
  };
}

/** Our own failures, and overload, during which recording must cost nothing. */
function isUnrecorded({ code }: ApiError): boolean {
  return errorCatalogue[code].status >= 500 || code === 'overloaded';
}

function describe({ details: { errors = [], members, limit } }: ApiError): FailureDetails {
  const scope = members?.['scope'];
  return {
    ...(errors.length === 0
      ? {}
      : { parameters: toStorableNames([...new Set(errors.map(({ parameter }) => parameter))]) }),
    ...(typeof scope === 'string' ? { scopes: [scope] } : {}),
    ...(limit === undefined ? {} : { limit }),
  };
}

/** What Node.js reports when the other end of a connection closes it: while something is written, or before a stream has ended. */
const disconnects: ReadonlySet<unknown> = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE']);

/** Logs what went wrong after a response began. Clients may leave during a download, which is no fault of the service. */
export function createFaultLog(logger: Logger): (error: unknown) => void {
  return (error) => {
    if (disconnects.has(Reflect.get(Object(error), 'code'))) logger.debug({ err: error }, 'disconnected');
    else logger.error({ err: error }, 'response failed');
  };
}
