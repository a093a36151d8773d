/** What an export holds: in parts, and as files with their schemas. */
import { z } from 'zod';

import { draftSchema } from './draft.ts';
import { correctSchema } from './openapi/document-corrections.ts';
import { exportedNotificationSchema, preferencesSchema } from './notifications.ts';
import { accountSchema, commentSchema, mediaSchema, postSchema, shownAccountSchema } from './objects.ts';
import { reportSchema } from './report.ts';
import { wordFilterSchema } from './word-filter.ts';

const creationTimes = { created: z.string(), created_at: z.iso.datetime() };

export const exportParts = z.object({
  profile: shownAccountSchema.omit({ post: true }),
  posts: z.array(
    postSchema.omit({ user: true, card: true, quote: true }).extend({
      quote_id: z.int().optional().meta({ description: 'The post that it quotes.' }),
    }),
  ),
  history: z
    .array(z.object({ item_id: z.int(), text: z.string(), ...creationTimes }))
    .meta({ description: 'The texts of posts that edits replaced.' }),
  reposts: z.array(z.object({ item_id: z.int(), ...creationTimes })),
  comments: z.array(
    commentSchema.omit({
      card: true,
      user: true,
      hashtags: true,
      urls: true,
      mentions: true,
      user_definition: true,
      viewer: true,
    }),
  ),
  drafts: z.array(draftSchema),
  likes: z.array(z.object({ item_id: z.int() })),
  bookmarks: z.array(z.object({ item_id: z.int() })),
  follows: z.object({ following: z.array(accountSchema), followers: z.array(accountSchema) }),
  blocks: z.array(z.object({ user: accountSchema, ...creationTimes })),
  mutes: z.array(
    z.object({
      user: accountSchema,
      ...creationTimes,
      ends: z.string().optional(),
      ends_at: z.iso.datetime().optional(),
    }),
  ),
  word_filters: z.array(wordFilterSchema.omit({ id: true })),
  followed_hashtags: z.array(z.string()),
  invitations: z
    .array(
      z.object({
        note: z.string(),
        uses: z.int(),
        max_uses: z.int(),
        ...creationTimes,
        ends: z.string(),
        ends_at: z.iso.datetime(),
      }),
    )
    .meta({ description: 'Links with which the account invites others.' }),
  linked_providers: z
    .array(
      z.object({
        issuer: z.string(),
        name: z.string(),
        subject: z.string().meta({ description: 'What the provider calls the person.' }),
        ...creationTimes,
        last_used_at: z.iso.datetime().optional(),
      }),
    )
    .meta({ description: 'The providers that sign the person in. Empty without the scope `email`.' }),
  notification_preferences: preferencesSchema,
  notifications: z.array(exportedNotificationSchema),
  reports: z.array(
    reportSchema.pick({ item_id: true, type: true, reason: true, text: true }).extend({
      status: z.enum(['open', 'closed']).meta({ description: '`closed`: an operator has looked at it.' }),
      ...creationTimes,
    }),
  ),
  media: z.array(
    mediaSchema.omit({ user: true }).extend({
      media: postSchema.shape.media.meta({ description: 'The image to display and the full-size file.' }),
      ...creationTimes,
    }),
  ),
  /** What is empty because the token lacks `scope`; absent if nothing was left out. */
  omitted: z
    .object({
      members: z.array(
        z.enum([
          ...(['posts', 'reposts', 'comments', 'likes', 'bookmarks', 'media', 'notifications', 'history'] as const),
          'drafts',
        ]),
      ),
      scope: z.literal('posts:read'),
    })
    .optional()
    .meta({ description: 'The members that are empty because the token lacks `scope`.' }),
  /** The `cursor` of the next part; absent in the last part. */
  next: z.string().optional(),
});

const { shape } = exportParts;

export const exportFiles = {
  'account.json': {
    text: 'Your profile, with your e-mail address.',
    schema: z.object({ version: z.literal('2.0'), exported_at: z.iso.datetime(), profile: shape.profile }),
  },
  'posts.json': { text: 'What you posted.', schema: shape.posts },
  'history.json': { text: 'The texts of your posts before you edited them.', schema: shape.history },
  'reposts.json': { text: 'Posts of others that you reposted.', schema: shape.reposts },
  'comments.json': { text: 'Your comments.', schema: shape.comments },
  'drafts.json': { text: 'Your drafts, and for 30 days what became of them.', schema: shape.drafts },
  'likes.json': { text: 'Posts that you like.', schema: shape.likes },
  'bookmarks.json': { text: 'Posts that you bookmarked.', schema: shape.bookmarks },
  'following.json': { text: 'The accounts that you follow.', schema: shape.follows.shape.following },
  'followers.json': { text: 'The accounts that follow you.', schema: shape.follows.shape.followers },
  'blocks.json': { text: 'The accounts that you block.', schema: shape.blocks },
  'mutes.json': { text: 'The accounts that you mute.', schema: shape.mutes },
  'word_filters.json': { text: 'The words that you hide.', schema: shape.word_filters },
  'followed_hashtags.json': { text: 'The hashtags that you follow.', schema: shape.followed_hashtags },
  'invitations.json': {
    text: 'The links with which you invite others: your notes, and how many people registered with each.',
    schema: shape.invitations,
  },
  'linked_providers.json': {
    text: 'The providers with which you sign in: what they call you, and when you linked and last used them.',
    schema: shape.linked_providers,
  },
  'notifications.json': { text: 'Your notifications.', schema: shape.notifications },
  'notification_preferences.json': {
    text: 'Which notifications you want.',
    schema: shape.notification_preferences,
  },
  'reports.json': { text: 'What you reported, and whether an operator has looked at it.', schema: shape.reports },
  'media.json': {
    text: 'Your pictures: their descriptions, sizes and links. Links of protected accounts end after an hour.',
    schema: z.array(shape.media.element.extend({ file: z.string() })),
  },
} as const;

export type ExportFile = keyof typeof exportFiles;

/** A JSON Schema whose `properties` describe each file by its name. */
export function exportSchema() {
  const files = Object.entries(exportFiles).map(([name, { schema }]) => [name, schema] as const);
  return z.toJSONSchema(z.object(Object.fromEntries(files)), { unrepresentable: 'any', override: correctSchema });
}
