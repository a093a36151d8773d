import type { LinkCard } from '@linnet/contract/attachment';
import { mediaPath } from '@linnet/media/media-address';

import { toPicture } from '../media/media-view.ts';
import type { ViewContext } from '../view-context.ts';

/** What a card is built from. */
export interface LinkCardRow {
  readonly url: string;
  readonly title: string;
  readonly description: string;
  readonly siteName: string;
  /** The name of the file. Null: it has no picture. */
  readonly image: string | null;
  readonly width: number;
  readonly height: number;
  readonly alt: string;
  readonly blurhash: string;
}

/** SQL: LinkCardRow of the card `alias` as JSON. */
const cardObject = (alias: string) => `json_build_object('url', ${alias}.url, 'title', ${alias}.title,
    'description', ${alias}.description, 'siteName', ${alias}.site_name, 'image', ${alias}.image, 'width', ${alias}.width,
    'height', ${alias}.height, 'alt', ${alias}.alt, 'blurhash', ${alias}.blurhash)`;

/** SQL: LinkCardRow of the post or comment `alias` as JSON. Those without a link skip the subquery. */
export function cardJson(alias: string): string {
  return `CASE WHEN ${alias}.card_id IS NOT NULL THEN (
    SELECT ${cardObject('k')} FROM link_card k WHERE k.id = ${alias}.card_id AND k.title IS NOT NULL
  ) END`;
}

/** SQL query: an object with LinkCardRow by the `post_id` of the rows of `posts`. OFFSET 0: no plan scans all cards. */
export function cardsByPost(posts: string): string {
  return `SELECT json_object_agg(${posts}.post_id, ${cardObject('k')})
    FROM ${posts}, LATERAL (SELECT * FROM link_card WHERE id = ${posts}.card_id AND title IS NOT NULL OFFSET 0) k
    WHERE ${posts}.card_id IS NOT NULL`;
}

/** Builds the member `card` of a post or comment. Undefined and null: it has none. */
export function toCard(row: LinkCardRow | null | undefined, { mediaUrl }: ViewContext): { readonly card?: LinkCard } {
  if (row === null || row === undefined) return {};
  const { url, title, description, siteName, image, blurhash } = row;
  const card = { url, title, description, site_name: siteName };
  if (image === null) return { card };
  const picture = {
    image: mediaUrl + mediaPath('display', image),
    thumbnail: mediaUrl + mediaPath('thumb', image),
    ...toPicture({ ...row, blurhash: blurhash === '' ? null : blurhash }),
  };
  return { card: { ...card, picture } };
}
