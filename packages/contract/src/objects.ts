import { z } from 'zod';

import { documentAs } from './document-as.ts';

/** The objects of the specification ("Resources and their fields") as they stand on the wire. */

/** An id of `record` in an answer. */
const idOf = (record: string) =>
  z
    .int()
    .min(1)
    .meta({ description: `Id of the ${record}.`, examples: [114582761947136] });
const counterOf = (counted: string) =>
  z
    .int()
    .min(0)
    .meta({ description: `How many ${counted}.`, examples: [3] });
/** Built by our own views, so its form is documented here and not parsed again on every answer. */
const urlOf = (page: string) => z.string().meta({ description: `Address of ${page}.`, format: 'uri' });

const created = z.string().meta({
  description: "When it was made, in UTC and in English whatever the reader's language.",
  examples: ['Fri, Nov 20, 2026 3:04 PM'],
});
const createdAt = z.iso.datetime().meta({
  description: 'The same moment by RFC 3339.',
  examples: ['2026-11-20T15:04:05.123Z'],
  ...documentAs({}, ['pattern']), // `format` says it
});

export const accountSchema = z
  .object({
    objectType: z.literal('account').meta({ description: 'Always `account`.' }),
    kind: z.string().meta({ description: "The service's name and `#account`.", examples: ['linnet#account'] }),
    id: idOf('account'),
    username: z
      .string()
      .meta({ description: 'Unique whatever the case; may be changed by its owner.', examples: ['ada_lovelace'] }),
    displayName: z.string().meta({ description: 'Full name for display.', examples: ['Ada Lovelace'] }),
    name: z
      .object({
        first_name: z.string().meta({ description: 'At most 25 characters.', examples: ['Ada'] }),
        last_name: z.string().meta({ description: 'At most 30 characters.', examples: ['Lovelace'] }),
      })
      .meta({ description: 'First and last name; need not be those of a real person.' }),
    description: z.string().meta({ description: 'Free text about the account; may be empty.' }),
    country: z.string().meta({ description: 'A place, free text; may be empty.' }),
    link: urlOf("the account's public page"),
    verified: z
      .union([z.literal(0), z.literal(1)])
      .meta({ description: '1 when the operator has verified the account.' }),
    avatar: urlOf('the main photo; one is drawn for accounts without'),
    action: z
      .object({
        followers: counterOf('accounts follow it'),
        following: counterOf('accounts it follows'),
        posts: counterOf('posts it has written'),
      })
      .meta({ description: 'Counters, exact at any time.' }),
  })
  .meta({ id: 'Account', description: 'An account (user object).' });
export type Account = z.infer<typeof accountSchema>;

const indices = z.tuple([z.int().min(0), z.int().min(0)]).meta({
  description: 'Where it stands in `text`: from the first to before the second, in code points.',
  examples: [[6, 13]],
});

export const postSchema = z
  .object({
    id: idOf('post'),
    text: z.string().meta({ description: 'Text of the post, as it was written.', examples: ['Hello #Linnet'] }),
    created,
    created_at: createdAt,
    link: urlOf("the post's public page"),
    user: accountSchema,
    media: z
      .object({
        image: urlOf('the picture to display').nullable(),
        files: z
          .array(
            z.object({
              name: z.string().meta({ description: 'Name that the service gave the file.' }),
              filesize: z.int().min(0).meta({ description: 'In bytes.' }),
              download: urlOf('the file in full size'),
            }),
          )
          .meta({ description: 'The file in full size; empty without media.' }),
      })
      .meta({ description: 'What is attached to the post.' }),
    hashtags: z
      .array(z.object({ text: z.string().meta({ description: 'Without the # sign.', examples: ['Linnet'] }), indices }))
      .meta({ description: 'Hashtags in the text, each once; empty without.' }),
    urls: z
      .array(
        z.object({
          url: z
            .string()
            .meta({ description: 'Address that is linked; as people write them, so not always a URI (RFC 3986).' }),
          display_url: z.string().meta({ description: 'The same, shorter, for display.' }),
          indices,
        }),
      )
      .meta({ description: 'Links in the text; empty without.' }),
    user_definition: z
      .array(accountSchema)
      .meta({ description: 'Accounts mentioned in the text, each once, at most 20.' }),
    action: z
      .object({
        likes: counterOf('likes it has'),
        comments: counterOf('comments it has'),
        reposts: counterOf('reposts it has'),
      })
      .meta({ description: 'Counters, exact at any time.' }),
  })
  .meta({ id: 'Post', description: 'A post.' });
export type Post = z.infer<typeof postSchema>;

/** With `repost` it stands in a list because that account reposted it (decisions D15). */
export const listedPostSchema = postSchema
  .extend({
    repost: z
      .object({ id: idOf('repost'), user: accountSchema, created, created_at: createdAt })
      .optional()
      .meta({ description: 'Who reposted it, where it is in the list for that.' }),
  })
  .meta({ id: 'ListedPost', description: 'A post in a list.' });
export type ListedPost = z.infer<typeof listedPostSchema>;

/** `item_id` 0: it is attached to no post (decisions D16). */
export const mediaSchema = z
  .object({
    id: idOf('media record'),
    item_id: z.int().min(0).meta({ description: 'Id of the post it is attached to; 0 while it is not.' }),
    media: z.object({ image: urlOf('the image') }),
    user: accountSchema,
  })
  .meta({ id: 'Media', description: 'A media record.' });
export type MediaRecord = z.infer<typeof mediaSchema>;

export const commentSchema = z
  .object({
    id: idOf('comment'),
    text: z.string().meta({ description: 'Text of the comment, as it was written.', examples: ['Well said'] }),
    created,
    created_at: createdAt,
    user: accountSchema,
  })
  .meta({ id: 'Comment', description: 'A comment on a post.' });
export type Comment = z.infer<typeof commentSchema>;

/** GET /users/show alone adds these fields. */
export const shownAccountSchema = accountSchema
  .extend({
    language: z.string().meta({ description: 'Preferred language.', examples: ['en'] }),
    email: z
      .string()
      .meta({ description: 'Empty unless the token acts for this very account and has the scope `email`.' }),
    created,
    created_at: createdAt,
    post: postSchema.optional(),
  })
  .meta({
    id: 'ShownAccount',
    description: 'An account with all its fields, and its latest post where there is one to show.',
  });
export type ShownAccount = z.infer<typeof shownAccountSchema>;

export const grantSchema = z
  .object({
    id: idOf('grant'),
    kind: z.enum(['consent', 'act_as_owner']).meta({
      description:
        '`consent`: somebody let the application in; `act_as_owner`: it acts as its owner by its credentials.',
    }),
    client_id: z.string().meta({ description: 'The application.', examples: ['app_8Jr2tqkVZ0mXwL5yNcD3bQ'] }),
    scope: z.string().meta({ description: 'What is allowed: scopes, separated by spaces.', examples: ['users posts'] }),
    current: z.boolean().meta({ description: 'Whether the token of this call belongs to it.' }),
    created,
    created_at: createdAt,
    ends: created.optional().meta({ description: 'When it ends; absent: it goes on until somebody ends it.' }),
    ends_at: createdAt.optional().meta({ description: 'The same moment by RFC 3339.' }),
  })
  .meta({ id: 'Grant', description: 'What an account allows an application.' });
