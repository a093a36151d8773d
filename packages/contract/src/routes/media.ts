import { z } from 'zod';

import { mediaSchema } from '../objects.ts';
import { listOf, pagingParameters } from '../paging.ts';
import { idParameter } from '../parameters.ts';
import { counterSchema, succeededResponse } from '../responses.ts';
import { defineRoute } from '../route.ts';
import { UploadedFile } from '../uploaded-file.ts';

const maxAddress = 2048;

/** An address, or a file part of a multipart body (decisions D32). What may be fetched is for the fetcher to say. */
const mediaSource = z
  .union([z.string().min(1).max(maxAddress), z.instanceof(UploadedFile).meta({ type: 'string', format: 'binary' })], {
    error: `must be an http(s) address of at most ${String(maxAddress)} characters, or a file`,
  })
  .meta({ description: 'Full http(s) address of the image, or the image itself as a file part of a multipart body.' });

export const uploadMedia = defineRoute({
  id: 'media-upload',
  methods: ['POST'],
  path: '/media/upload',
  scope: 'posts',
  requiresAccount: true,
  writes: true,
  file: 'media',
  input: z.object({ media: mediaSource }),
  output: z.object({
    status: z.literal('succeeded'),
    finally: z.object({
      media_id: z.int().min(1),
      media_id_string: z.string(),
      size: counterSchema,
      image_type: z.enum(['image/png', 'image/jpeg']),
    }),
  }),
  errors: ['body-too-large', 'image-refused', 'rate-limited', 'overloaded', 'storage-full'],
  summary: 'Uploads an image: a PNG or JPEG of at most 10 MB and 40 megapixels, by address or as a file part',
  specification: 'Media',
});

export const listMedia = defineRoute({
  id: 'media-list',
  methods: ['GET'],
  path: '/media',
  scope: 'posts:read',
  requiresAccount: false,
  writes: false,
  input: z.object({ user_id: idParameter('the account').optional(), ...pagingParameters }),
  output: listOf(mediaSchema),
  errors: ['not-found', 'protected-account'],
  summary: 'Lists the latest media of an account; without user_id, of the account of the token',
  specification: 'Media',
});

export const showMedia = defineRoute({
  id: 'media-show',
  methods: ['GET'],
  path: '/media/show',
  scope: 'posts:read',
  requiresAccount: false,
  writes: false,
  input: z.object({ id: idParameter('the media record') }),
  output: mediaSchema.extend({ items: z.array(mediaSchema) }),
  errors: ['not-found'],
  summary: 'Reads a media record',
  specification: 'Media',
});

export const deleteMedia = defineRoute({
  id: 'media-delete',
  methods: ['POST'],
  path: '/media/delete',
  scope: 'posts',
  requiresAccount: true,
  writes: true,
  input: z.object({ id: idParameter('the media record') }),
  output: succeededResponse,
  errors: ['not-found', 'not-owner'],
  summary: 'Deletes media of the account; a post that it was attached to stays without it',
  specification: 'Media',
});
