/** Pictures of posts: what describes them, and how they are given when a post is created. */
import { z } from 'zod';

import { documentAs } from './document-as.ts';
import { idOf, urlOf } from './object-fields.ts';
import { freeTextParameter, idParameter } from './parameters.ts';

/** The most pictures of a post. */
const maxAttachments = 4;
export const maxAltLength = 1500;

/** What describes a picture, in media records and attachments. */
export const pictureFields = {
  alt: z
    .string()
    .meta({ description: 'What the picture shows, in words. Empty if its owner has not said.', examples: ['A loom'] }),
  width: z
    .int()
    .min(1)
    .meta({ description: 'Width of the full-size file in pixels.', examples: [1600] }),
  height: z
    .int()
    .min(1)
    .meta({ description: 'Height of the full-size file in pixels.', examples: [900] }),
  blurhash: z
    .string()
    .nullable()
    .meta({
      description: 'Preview to draw until the picture is loaded (https://blurha.sh). Null if it cannot be computed.',
      examples: ['LEHV6nWB2yk8pyo0adR*.7kCMdnj'],
    }),
};

const attachmentSchema = z
  .object({
    id: idOf('media record'),
    image: urlOf('the image to display, of at most 1600 × 1600 pixels'),
    thumbnail: urlOf('the thumbnail, of at most 400 × 400 pixels'),
    download: urlOf('the full-size file'),
    ...pictureFields,
  })
  .meta({ id: 'Attachment', description: 'A picture of a post.' });
export type Attachment = z.infer<typeof attachmentSchema>;

/** The member of the specification. */
export const mediaOfPost = z
  .object({
    image: urlOf('the image to display').nullable(),
    files: z
      .array(
        z.object({
          name: z.string().meta({ description: 'File name, assigned by the service.' }),
          filesize: z.int().min(0).meta({ description: 'Size in bytes.' }),
          download: urlOf('the full-size file'),
        }),
      )
      .meta({ description: 'The full-size file. Empty when nothing is attached.' }),
  })
  .meta({ description: 'The first picture of the post.' });

export const attachmentsOfPost = z
  .array(attachmentSchema)
  .meta({ description: 'The pictures of the post in their order, at most 4. Empty when nothing is attached.' });

/** Absent where nothing is known: there is no link, its page was not fetched yet, or it has no title. */
export const linkCardSchema = z
  .object({
    url: z.string().meta({ description: 'The first link in the text, as its author wrote it.' }),
    title: z.string().meta({ description: 'Title of the page.', examples: ['The Jacquard machine'] }),
    description: z.string().meta({ description: 'What the page is about. May be empty.' }),
    site_name: z.string().meta({ description: 'Name of the site, as the page says it. May be empty.' }),
    picture: z
      .object({
        image: urlOf('a copy to display, of at most 1600 × 1600 pixels'),
        thumbnail: urlOf('the thumbnail, of at most 400 × 400 pixels'),
        ...pictureFields,
      })
      .optional()
      .meta({ description: 'Picture of the page. Absent if it has none.' }),
  })
  .meta({
    id: 'LinkCard',
    description:
      'Card of the first link in the text: what its page says about itself, as plain text. Absent if there is no link, the service has not fetched its page yet, or the page has no title.',
  });
export type LinkCard = z.infer<typeof linkCardSchema>;

/** What a picture shows, in words. Multipart bodies of browsers have two characters for each line break. */
export function altParameter() {
  return z
    .string({ error: 'must be a string' })
    .transform((text) => text.replaceAll('\r\n', '\n'))
    .pipe(freeTextParameter(maxAltLength))
    .meta({
      description: `What the picture shows, in words, for people who do not see it: at most ${String(maxAltLength)} characters (code points). May be empty. Control characters other than line breaks are rejected, and invisible ones other than marks of direction and joiners.`,
      examples: ['A loom, seen from above'],
      ...documentAs({ maxLength: maxAltLength }),
    });
}

const id = idParameter();

/** Ids of the pictures of a post, in their order: an array, or text with commas in between, as in a query. */
export function attachmentsParameter() {
  const error = `must be 1 to ${String(maxAttachments)} different positive integers, separated by commas or as an array`;
  return z
    .union([z.string(), z.number(), z.array(z.unknown()).max(maxAttachments)], { error })
    .transform((value, context) => {
      const parts = Array.isArray(value) ? value : String(value).split(',');
      const ids = parts.length > maxAttachments ? [] : parts.flatMap((part) => id.safeParse(part).data ?? []);
      if (ids.length > 0 && new Set(ids).size === parts.length) return ids;
      context.addIssue({ code: 'custom', message: error });
      return z.NEVER;
    })
    .meta({
      description: `Ids of the pictures to attach, in the order in which they are shown, separated by commas: at most ${String(maxAttachments)}, each an upload of the account that is not attached yet. Cannot be combined with \`media\`.`,
      examples: [[114582761947136, 114582774874115]],
      ...documentAs({
        type: 'array',
        items: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
        minItems: 1,
        maxItems: maxAttachments,
        uniqueItems: true,
      }),
      param: { style: 'form', explode: false },
    });
}
