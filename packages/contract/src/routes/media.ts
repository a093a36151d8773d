import { z } from 'zod';

import { altParameter, pictureFields } from '../attachment.ts';
import { mediaSchema } from '../objects.ts';
import { listOf, pagingParameters } from '../paging.ts';
import { idParameter } from '../parameters.ts';
import { counterSchema, succeededResponse } from '../object-fields.ts';
import { defineRoute } from '../route.ts';
import { UploadedFile } from '../uploaded-file.ts';

const maxUrlLength = 2048;

const mediaError = `must be an http(s) URL of at most ${String(maxUrlLength)} characters, or a file`;

/** A URL, or a file part of a multipart body (decisions D32). The fetcher decides which URLs it may fetch. */
const mediaSource = z
  .union(
    [
      z.string().min(1).max(maxUrlLength, { error: mediaError }).meta({ format: 'uri', pattern: '^https?://' }),
      z.instanceof(UploadedFile).meta({ type: 'string', format: 'binary' }),
    ],
    { error: mediaError },
  )
  .meta({ description: 'Absolute http(s) URL of the image. In a multipart body the image itself, as a file part.' });

export const uploadMedia = defineRoute({
  id: 'media-upload',
  methods: ['POST'],
  path: '/media/upload',
  scope: 'posts',
  requiresAccount: true,
  writes: true,
  servesProposals: true,
  file: 'media',
  input: z.object({ media: mediaSource, alt: altParameter().optional() }),
  output: z.object({
    status: z.literal('succeeded'),
    finally: z.object({
      media_id: z.int().min(1),
      media_id_string: z.string(),
      size: counterSchema,
      image_type: z.enum(['image/png', 'image/jpeg']),
      ...pictureFields,
    }),
  }),
  errors: ['body-too-large', 'image-refused', 'rate-limited', 'overloaded', 'storage-full'],
  summary: 'Upload an image',
  description:
    'Send a PNG or JPEG of at most 10 MB and 40 megapixels, as a URL or as a file part. With the scope `posts:propose` instead, send a file part: the picture is for a proposal.',
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
  summary: 'List media',
  description:
    'Returns the media of an account, newest first; those of the acting account if you leave out `user_id`. What no post uses is for its owner, with the scope `posts`.',
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
  hasVersion: true,
  errors: ['not-found'],
  summary: 'Get media',
  specification: 'Media',
});

export const updateMedia = defineRoute({
  id: 'media-update',
  methods: ['POST'],
  path: '/media/update',
  scope: 'posts',
  requiresAccount: true,
  writes: true,
  input: z.object({ id: idParameter('the media record'), alt: altParameter() }),
  output: mediaSchema,
  errors: ['not-found', 'not-owner'],
  summary: 'Describe media',
  description: 'Changes what the picture shows in words, also when it is attached to a post.',
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
  summary: 'Delete media',
  description:
    'If the media is attached to a post, the post stays without it, and its other pictures keep their order.',
  specification: 'Media',
});
