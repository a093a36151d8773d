import { z } from 'zod';

import { attachmentsOfPost, linkCardSchema, mediaOfPost, pictureFields } from './attachment.ts';
import { commentersSchema, quotersSchema } from './commenters.ts';
import { bitSchema, counterOf, created, createdAt, edited, editedAt, idOf, imported, urlOf } from './object-fields.ts';
import { filteredSchema } from './word-filter.ts';

/** The objects of the specification ("Resources and their fields") in their JSON form. */
export const accountSchema = z
  .object({
    objectType: z.literal('account').meta({ description: 'Always `account`.' }),
    kind: z
      .string()
      .meta({ description: 'Name of the service, followed by `#account`.', examples: ['linnet#account'] }),
    id: idOf('account'),
    username: z
      .string()
      .meta({ description: 'Unique without regard to case. The owner can change it.', examples: ['ada_lovelace'] }),
    displayName: z.string().meta({ description: 'Name to display.', examples: ['Ada Lovelace'] }),
    name: z
      .object({
        first_name: z.string().meta({ description: 'At most 25 characters.', examples: ['Ada'] }),
        last_name: z.string().meta({ description: 'At most 30 characters.', examples: ['Lovelace'] }),
      })
      .meta({ description: 'First and last name. Need not be a legal name.' }),
    description: z.string().meta({ description: 'Free text about the account. May be empty.' }),
    country: z.string().meta({ description: 'Country or place, as free text. May be empty.' }),
    link: urlOf("the account's public page"),
    verified: bitSchema.meta({ description: '1 if the operator has verified the account, 0 otherwise.' }),
    avatar: urlOf('the main photo, or of a generated image when there is none'),
    action: z
      .object({
        followers: counterOf('accounts that follow it'),
        following: counterOf('accounts it follows'),
        posts: counterOf('posts it has published'),
      })
      .meta({ description: 'Counters, always exact.' }),
    viewer: z
      .object({
        following: bitSchema.meta({ description: '1 if the acting account follows it.' }),
        follow_requested: bitSchema.meta({ description: '1 if the acting account has requested to follow it.' }),
        followed_by: bitSchema.meta({ description: '1 if it follows the acting account.' }),
        muted: bitSchema.meta({ description: '1 if the acting account mutes it.' }),
        blocked: bitSchema.meta({ description: '1 if it blocks the acting account.' }),
        blocking: bitSchema.meta({ description: '1 if the acting account blocks it.' }),
      })
      .optional()
      .meta({
        description:
          'What the acting account has to do with it. Absent for the acting account itself, without one, and in accounts within other objects.',
      }),
  })
  .meta({ id: 'Account', description: 'An account (user object).' });
export type Account = z.infer<typeof accountSchema>;

/** Only GET /mutes returns the additional field. */
export const mutedAccountSchema = accountSchema
  .extend({
    mute: z
      .object({
        ends: z.string().meta({
          description: 'When the mute ends, in UTC. Always in English.',
          examples: ['Fri, Nov 20, 2026 3:04 PM'],
        }),
        ends_at: createdAt.meta({ description: 'When the mute ends (RFC 3339).' }),
      })
      .optional()
      .meta({ description: 'Absent if the mute has no end.' }),
  })
  .meta({ id: 'MutedAccount', description: 'A muted account.' });
export type MutedAccount = z.infer<typeof mutedAccountSchema>;

const indices = z.tuple([z.int().min(0), z.int().min(0)]).meta({
  description: 'Position in `text`, in code points: start (inclusive) and end (exclusive).',
  examples: [[6, 13]],
});

/** What the service finds in the text of a post or a comment. */
const textEntities = {
  hashtags: z
    .array(z.object({ text: z.string().meta({ description: 'Without the # sign.', examples: ['Linnet'] }), indices }))
    .meta({ description: 'Hashtags in the text, each listed once.' }),
  urls: z
    .array(
      z.object({
        url: z
          .string()
          .meta({ description: 'Linked address as its author wrote it, so not always a valid URI (RFC 3986).' }),
        display_url: z.string().meta({ description: 'Shortened form for display.' }),
        indices,
      }),
    )
    .meta({ description: 'Links in the text.' }),
  mentions: z
    .array(z.object({ id: idOf('mentioned account, which `user_definition` has'), indices }))
    .meta({ description: 'Mentions in the text, in their order. The account may have another name since.' }),
  user_definition: z
    .array(accountSchema)
    .meta({ description: 'Accounts mentioned in the text, each listed once, at most 20.' }),
};

const writtenPost = {
  id: idOf('post'),
  text: z
    .string()
    .meta({ description: 'Text of the post, exactly as its author wrote it.', examples: ['Hello #Linnet'] }),
  ...{ created, created_at: createdAt, edited, edited_at: editedAt, imported },
  link: urlOf("the post's public page"),
  user: accountSchema,
  media: mediaOfPost,
  attachments: attachmentsOfPost,
  ...textEntities,
};
const sensitive = bitSchema.meta({
  description: '1 if the media should be hidden until the reader asks for it, 0 otherwise.',
});

/** One level deep: what a quoted post quotes is not shown (decisions D204). */
const quoteSchema = z
  .object({
    status: z.enum(['available', 'unavailable']),
    post: z
      .object({ ...writtenPost, sensitive })
      .optional()
      .meta({ id: 'QuotedPost', description: 'The quoted post, as it is now. Absent if it is unavailable.' }),
  })
  .meta({
    id: 'Quote',
    description:
      'The post that this one quotes. `unavailable`: it was deleted or withdrawn by its author, or the reader may not see it. Absent if the post quotes nothing.',
  });

export const postSchema = z
  .object({
    ...writtenPost,
    card: linkCardSchema.optional(),
    quote: quoteSchema.optional(),
    action: z
      .object({
        likes: counterOf('likes'),
        comments: counterOf('comments'),
        reposts: counterOf('reposts'),
      })
      .meta({ description: 'Counters, always exact.' }),
    commenters: commentersSchema,
    sensitive,
    viewer: z
      .object({
        liked: bitSchema.meta({ description: '1 if the acting account likes it.' }),
        reposted: bitSchema.meta({ description: '1 if the acting account has reposted it.' }),
        bookmarked: bitSchema.meta({ description: '1 if the acting account has bookmarked it.' }),
        can_comment: bitSchema.meta({ description: '1 if the acting account can comment on it; see `commenters`.' }),
        filtered: filteredSchema,
      })
      .optional()
      .meta({
        description: 'What the acting account has done with it, and can do. Absent if the token acts for no account.',
      }),
  })
  .meta({ id: 'Post', description: 'A post.' });
export type Post = z.infer<typeof postSchema>;

/** `repost` is present when the list contains the post because an account reposted it (decisions D15). */
export const listedPostSchema = postSchema
  .extend({
    repost: z
      .object({ id: idOf('repost'), user: accountSchema, created, created_at: createdAt })
      .optional()
      .meta({ description: 'The repost because of which the post is in this list.' }),
  })
  .meta({ id: 'ListedPost', description: 'A post in a list.' });
export type ListedPost = z.infer<typeof listedPostSchema>;

/** `item_id` is 0 while the media is not attached to a post (decisions D16). */
export const mediaSchema = z
  .object({
    id: idOf('media record'),
    item_id: z.int().min(0).meta({ description: 'Id of the post that the media is attached to, or 0.' }),
    media: z.object({ image: urlOf('the image') }),
    ...pictureFields,
    user: accountSchema,
  })
  .meta({ id: 'Media', description: 'A media record.' });
export type MediaRecord = z.infer<typeof mediaSchema>;

export const commentSchema = z
  .object({
    id: idOf('comment'),
    text: z
      .string()
      .meta({ description: 'Text of the comment, exactly as its author wrote it.', examples: ['Well said'] }),
    ...{ created, created_at: createdAt, imported },
    link: urlOf('the public page of the post, with the comment'),
    item_id: idOf('post that it comments on'),
    parent_id: z
      .int()
      .min(0)
      .meta({ description: 'Id of the comment that it replies to, which may have been deleted since. 0: none.' }),
    user: accountSchema,
    ...textEntities,
    card: linkCardSchema.optional(),
    viewer: z
      .object({ filtered: filteredSchema })
      .optional()
      .meta({ description: 'What the acting account has to do with it. Absent if no filter matches.' }),
  })
  .meta({ id: 'Comment', description: 'A comment on a post.' });
export type Comment = z.infer<typeof commentSchema>;

/** A post or a comment that mentions the acting account. */
export const mentionSchema = z
  .object({
    objectType: z.literal('mention').meta({ description: 'Always `mention`.' }),
    kind: z
      .string()
      .meta({ description: 'Name of the service, followed by `#mention`.', examples: ['linnet#mention'] }),
    id: idOf('mention: that of the post or comment, or of its version if an edit added the mention'),
    type: z.enum(['post', 'comment']).meta({ description: 'What mentions the account.' }),
    post: postSchema,
    comment: commentSchema.optional(),
  })
  .meta({
    id: 'Mention',
    description:
      'A mention of the acting account: by the post, or by a comment on it. To reply, comment on the post, with the id of the comment as `parent_id`.',
  });
export type Mention = z.infer<typeof mentionSchema>;

/** Only GET /users/show and POST /account/update return these additional fields. */
export const shownAccountSchema = accountSchema
  .extend({
    language: z.string().meta({ description: 'Preferred language.', examples: ['en'] }),
    email: z.string().meta({ description: 'Empty unless the token acts for this account and has the scope `email`.' }),
    created,
    created_at: createdAt,
    protected: bitSchema
      .optional()
      .meta({ description: '1 if only approved followers see posts and media. Only the account itself gets it.' }),
    quoters: quotersSchema.optional(),
    post: postSchema.optional(),
  })
  .meta({
    id: 'ShownAccount',
    description: 'An account with all its fields and the latest post that the caller may see.',
  });
export type ShownAccount = z.infer<typeof shownAccountSchema>;

/** Only GET /users/suggested returns the additional field. */
export const suggestedAccountSchema = accountSchema
  .extend({
    suggestion: z
      .object({
        reason: z.enum(['followed', 'popular']).meta({
          description:
            '`followed`: accounts that the acting account follows follow it. `popular`: it posted lately and has many followers.',
        }),
        count: counterOf('accounts among those that the acting account follows that follow it'),
      })
      .meta({ description: 'Why it is suggested.' }),
  })
  .meta({ id: 'SuggestedAccount', description: 'An account that the acting account may want to follow.' });
export type SuggestedAccount = z.infer<typeof suggestedAccountSchema>;

const { text, hashtags, urls, mentions, user_definition } = postSchema.shape;

/** A text that a post has or had. */
export const postVersionSchema = z
  .object({
    objectType: z.literal('version').meta({ description: 'Always `version`.' }),
    kind: z
      .string()
      .meta({ description: 'Name of the service, followed by `#version`.', examples: ['linnet#version'] }),
    id: idOf('version: that of the post for its first text'),
    text,
    created: created.meta({ description: 'When it was written, in UTC. Always in English.' }),
    created_at: createdAt.meta({ description: 'When it was written, in UTC (RFC 3339).' }),
    hashtags,
    urls,
    mentions,
    user_definition,
  })
  .meta({ id: 'PostVersion', description: 'A text that a post has or had.' });
export type PostVersion = z.infer<typeof postVersionSchema>;
