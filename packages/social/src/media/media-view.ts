import type { Attachment } from '@linnet/contract/attachment';
import type { MediaRecord, Post } from '@linnet/contract/objects';

import { toAuthor } from '../account/account-row.ts';
import { toAccount } from '../account/account-view.ts';
import type { ViewContext } from '../view-context.ts';
import { mediaPath } from '@linnet/media/media-address';
import type { AddressedRendition } from '@linnet/media/media-address';
import type { PostMedia } from './media-row.ts';
import type { MediaRow } from './media-store.ts';

interface Addressed {
  readonly name: string;
  readonly reader: number | null;
}

/** Builds the media record (specification, Media record; decisions D16). */
export function toMediaRecord(row: MediaRow, context: ViewContext): MediaRecord {
  return {
    id: row.id,
    item_id: row.postId ?? 0,
    media: { image: toAddress('display', row, context) },
    ...toPicture(row),
    user: toAccount(toAuthor(row), context),
  };
}

type Described = Pick<PostMedia, 'alt' | 'width' | 'height' | 'blurhash'>;

/** Builds the members that describe a picture. */
export function toPicture({ alt, width, height, blurhash }: Described): Described {
  return { alt, width, height, blurhash };
}

/** Builds the members of a post that show its pictures. Null: it has none. */
export function toPictures(
  media: readonly PostMedia[] | null,
  context: ViewContext,
): Pick<Post, 'media' | 'attachments'> {
  const pictures = media ?? [];
  return {
    media: toPostMedia(pictures[0] ?? null, context),
    attachments: pictures.map((picture) => toAttachment(picture, context)),
  };
}

function toAttachment(picture: PostMedia, context: ViewContext): Attachment {
  return {
    id: picture.id,
    image: toAddress('display', picture, context),
    thumbnail: toAddress('thumb', picture, context),
    download: toAddress('full', picture, context),
    ...toPicture(picture),
  };
}

/** Builds the field `media` of a post (decisions D11). */
export function toPostMedia(media: PostMedia | null, context: ViewContext): Post['media'] {
  if (media === null) return { image: null, files: [] };
  return {
    image: toAddress('display', media, context),
    files: [{ name: media.name, filesize: media.bytes, download: toAddress('full', media, context) }],
  };
}

function toAddress(rendition: AddressedRendition, { name, reader }: Addressed, context: ViewContext): string {
  const path = mediaPath(rendition, name);
  // Signed URLs are for one person, so a CDN must not see them.
  return reader === null
    ? context.mediaUrl + path
    : context.baseUrl + path + context.mediaSignatures.sign(name, reader);
}

/** Returns the media type for the name of a stored file; the decoder chose its extension. */
export function toImageType(name: string): 'image/png' | 'image/jpeg' {
  return name.endsWith('.png') ? 'image/png' : 'image/jpeg';
}
