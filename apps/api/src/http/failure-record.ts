/** Records failed requests for the owners of applications, who see why they failed. */
import { createFailureLimit } from '@linnet/applications/failures/failure';
import { insertFailures } from '@linnet/applications/failures/failure-store';
import type { FailureDetails, NewFailure } from '@linnet/applications/failures/failure';
import { errorCatalogue } from '@linnet/contract/errors';
import type { Queryable } from '@linnet/db/database';
import { createBatchWriter } from '@linnet/service/jobs/batch-writer';
import type { Logger } from '@linnet/service/log/logger';
import type { RequestState } from '@linnet/service/http/request-log';
import type { Context } from 'koa';

import type { ApiError } from './api-error.ts';
import { findRejectedToken } from './rejected-token.ts';
import { apiPath } from './router.ts';

type RecordFailure = (ctx: Pick<Context, 'method' | 'state'>, error: ApiError) => void;

/**
 * Records the failed requests of applications: in memory at first, then in batches that no response waits for. Nothing
 * that a client chose is recorded: the path is that of the route, and parameters are those it documents.
 */
export function createFailureRecord({ db, logger }: { db: Queryable; logger: Logger }): RecordFailure {
  const writer = createBatchWriter<NewFailure>({
    store: async (failures) => await insertFailures(db, failures),
    onLost: (count, err) => logger.error({ err, count }, 'failed requests were not written to the request log'),
  });
  const mayRecord = createFailureLimit();
  return ({ method, state }, error) => {
    const { status } = errorCatalogue[error.code];
    const { requestId, route = apiPath, clientId: authenticated }: Partial<RequestState> = state;
    if (isOurs(error)) return;
    const token = authenticated === undefined ? findRejectedToken(error) : undefined;
    const clientId = authenticated ?? token?.clientId;
    if (clientId === undefined || !mayRecord(clientId)) return;
    const details = { method, ...describe(error), ...token?.details };
    writer.add({
      ...{ clientId, requestId, at: new Date(), kind: 'api', cause: token?.cause, details },
      ...{ endpoint: route, error: error.code, reason: '', status },
    });
  };
}

/** Our own failures, and overload, during which recording must cost nothing. */
function isOurs({ code }: ApiError): boolean {
  return errorCatalogue[code].status >= 500 || code === 'overloaded';
}

function describe({ details: { errors = [], members, limit } }: ApiError): FailureDetails {
  const scope = members?.['scope'];
  return {
    ...(errors.length === 0 ? {} : { parameters: [...new Set(errors.map(({ parameter }) => parameter))] }),
    ...(typeof scope === 'string' ? { scopes: [scope] } : {}),
    ...(limit === undefined ? {} : { limit }),
  };
}
