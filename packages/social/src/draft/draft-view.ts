import type { CallParameters, Draft } from '@linnet/contract/draft';

import { toCreated } from '../view-context.ts';
import type { ViewContext } from '../view-context.ts';
import type { DraftRow } from './draft-store.ts';

/** The parameters of its call. */
export function toCallParameters({ parameters, mediaIds }: Pick<DraftRow, 'parameters' | 'mediaIds'>): CallParameters {
  return { ...parameters, ...(mediaIds.length === 0 ? {} : { attachments: [...mediaIds] }) };
}

/** A row that was read as JSON. */
export type DraftJson = Omit<DraftRow, 'createdAt' | 'publishAt'> & {
  readonly createdAt: string;
  readonly publishAt: string | null;
};

export function fromDraftJson({ createdAt, publishAt, ...row }: DraftJson): DraftRow {
  return { ...row, createdAt: new Date(createdAt), publishAt: publishAt === null ? null : new Date(publishAt) };
}

/** Builds the object of a draft. */
export function toDraft(row: DraftRow, { serviceName }: Pick<ViewContext, 'serviceName'>): Draft {
  const { id, status, version, call, clientId, clientName, publishAt, failure, reason, publishedId, createdAt } = row;
  return {
    objectType: 'draft',
    kind: `${serviceName}#draft`,
    id,
    status,
    version,
    call,
    parameters: toCallParameters(row),
    ...(clientId === null ? {} : { application: { client_id: clientId, name: clientName ?? '' } }),
    ...(publishAt === null ? {} : { publish_at: publishAt.toISOString() }),
    ...(failure === null ? {} : { failure }),
    ...(reason === null ? {} : { reason }),
    ...(publishedId === null ? {} : { published_id: publishedId }),
    created: toCreated(createdAt),
    created_at: createdAt.toISOString(),
  };
}
