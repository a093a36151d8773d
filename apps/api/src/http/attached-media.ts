/** The pictures that a post or a draft is given. */
import type { Queryable } from '@linnet/db/statement/transaction';
import { findOwnMedia } from '@linnet/social/media/media-store';

import { ApiError, invalidParameters } from './api-error.ts';

interface GivenMedia {
  readonly media?: number | undefined;
  readonly attachments?: readonly number[] | undefined;
}

/** @throws ApiError if both parameters are given: it would be a guess in which order the pictures are shown. */
export function toMediaIds({ media, attachments }: GivenMedia): readonly number[] {
  if (media === undefined) return attachments ?? [];
  if (attachments === undefined) return [media];
  const detail = 'cannot be combined with `media`: send all ids in `attachments`';
  throw invalidParameters([{ parameter: 'attachments', code: 'not-allowed', detail }]);
}

/**
 * Why the pictures cannot be attached; `undefined` if they can. Unknown media and media of other accounts get the same response
 * (decisions, D52).
 */
export async function findMediaError(
  db: Queryable,
  ownerId: number,
  mediaIds: readonly number[],
): Promise<ApiError | undefined> {
  if (mediaIds.length === 0) return undefined;
  const own = new Map((await findOwnMedia(db, mediaIds, ownerId)).map((media) => [media.id, media]));
  const unknown = mediaIds.filter((id) => !own.has(id));
  if (unknown.length > 0) return refuse('media-not-usable', mediaIds, unknown);
  const attached = mediaIds.filter((id) => own.get(id)?.attached === true);
  return attached.length === 0 ? undefined : refuse('media-attached', mediaIds, attached);
}

const refusals = {
  'media-not-usable': 'are not uploads of the acting account',
  'media-attached': 'are already attached to a post',
};

/** Of several pictures, the response says which are refused. */
function refuse(code: keyof typeof refusals, mediaIds: readonly number[], refused: readonly number[]): ApiError {
  if (mediaIds.length === 1) return new ApiError(code);
  const detail = `Nothing happened. These ids of \`attachments\` ${refusals[code]}: ${refused.join(', ')}.`;
  return new ApiError(code, { detail });
}
