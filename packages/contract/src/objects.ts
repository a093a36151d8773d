import { z } from 'zod';

/** The objects of the specification ("Resources and their fields") as they stand on the wire. */

const counter = z.int().min(0);
const id = z.int().min(1);
/** Built by our own views, so its form is documented here and not parsed again on every answer. */
const url = z.string().meta({ format: 'uri' });

export const accountSchema = z.object({
  objectType: z.literal('account'),
  kind: z.string(),
  id,
  username: z.string(),
  displayName: z.string(),
  name: z.object({ first_name: z.string(), last_name: z.string() }),
  description: z.string(),
  country: z.string(),
  link: url,
  verified: z.union([z.literal(0), z.literal(1)]),
  avatar: url,
  action: z.object({ followers: counter, following: counter, posts: counter }),
});
export type Account = z.infer<typeof accountSchema>;

/** Half-open range of code points over the post's text. */
const indices = z.tuple([counter, counter]);

export const postSchema = z.object({
  id,
  text: z.string(),
  created: z.string(),
  created_at: z.iso.datetime(),
  link: url,
  user: accountSchema,
  media: z.object({
    image: url.nullable(),
    files: z.array(z.object({ name: z.string(), filesize: counter, download: url })),
  }),
  hashtags: z.array(z.object({ text: z.string(), indices })),
  urls: z.array(z.object({ url, display_url: z.string(), indices })),
  user_definition: z.array(accountSchema),
  action: z.object({ likes: counter, comments: counter, reposts: counter }),
});
export type Post = z.infer<typeof postSchema>;

/** A post in a list; with `repost` it stands there because that account reposted it (decisions D15). */
export const listedPostSchema = postSchema.extend({
  repost: z.object({ id, user: accountSchema, created: z.string(), created_at: z.iso.datetime() }).optional(),
});
export type ListedPost = z.infer<typeof listedPostSchema>;

/** `item_id` 0: it is attached to no post (decisions D16). */
export const mediaSchema = z.object({
  id,
  item_id: counter,
  media: z.object({ image: url }),
  user: accountSchema,
});
export type MediaRecord = z.infer<typeof mediaSchema>;

export const commentSchema = z.object({
  id,
  text: z.string(),
  created: z.string(),
  created_at: z.iso.datetime(),
  user: accountSchema,
});
export type Comment = z.infer<typeof commentSchema>;

/** GET /users/show alone adds these fields. */
export const shownAccountSchema = accountSchema.extend({
  language: z.string(),
  email: z.string(),
  created: z.string(),
  created_at: z.iso.datetime(),
  post: postSchema.optional(),
});
export type ShownAccount = z.infer<typeof shownAccountSchema>;
