import type { Row } from './valid-rows.ts';

const firstInvalidId = 2n ** 53n;

/** Changes of a second media record, and the constraint that rejects each. The first belongs to the post 1. */
export const mediaRows: readonly (readonly [rule: string, changes: Row, rejectedBy: string])[] = [
  ['a second file', {}, 'accepted'],
  ['a duplicate id', { id: 1 }, 'media_pkey'],
  ['the id 0', { id: 0 }, 'media_id_check'],
  ['an id of 2^53', { id: firstInvalidId }, 'media_id_check'],
  ['an owner that does not exist', { owner_id: 4096 }, 'media_owner_id_fkey'],
  ['a post that does not exist', { post_id: 999 }, 'media_post_id_fkey'],
  ['a second picture of one post', { post_id: 1, position: 1 }, 'accepted'],
  ['two pictures of one post at the same position', { post_id: 1 }, 'media_post_id_position_key'],
  ['a fifth picture', { post_id: 1, position: 4 }, 'media_position_check'],
  ['a negative position', { position: -1 }, 'media_position_check'],
  ['a description of 1,500 code points', { alt: '💙'.repeat(1500) }, 'accepted'],
  ['a description of 1,501 characters', { alt: 'x'.repeat(1501) }, 'media_alt_check'],
  ['a preview that could not be computed', { blurhash: '' }, 'accepted'],
  ['a preview of the algorithm', { blurhash: 'L9NVua;$fQ;$|co1fQo1fQfQfQfQ' }, 'accepted'],
  ['a preview with quotation marks', { blurhash: 'L9NVua"$fQ' }, 'media_blurhash_check'],
  ['a duplicate name', { name: `${'0'.repeat(32)}.png` }, 'media_name_key'],
  ['a guessable name', { name: '1.png' }, 'media_name_check'],
  ['a path as name', { name: `../${'1'.repeat(29)}.png` }, 'media_name_check'],
  ['an unsupported type', { name: `${'1'.repeat(32)}.gif` }, 'media_name_check'],
  ['an empty file', { bytes: 0 }, 'media_size_check'],
  ['no width', { width: 0 }, 'media_size_check'],
  ['no height', { height: 0 }, 'media_size_check'],
];
