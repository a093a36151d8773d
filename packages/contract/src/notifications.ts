/** What others did that concerns the acting account. */
import { z } from 'zod';

import { documentAs } from './document-as.ts';
import { draftSchema } from './draft.ts';
import { bitSchema, created, createdAt, idOf } from './object-fields.ts';
import { accountSchema, commentSchema, postSchema } from './objects.ts';
import { nameListParameter } from './list-parameters.ts';
import { flagParameter } from './parameters.ts';
import type { Scope } from './scopes.ts';

/** What happened, by kind, in the order of the documentation. */
const kinds = {
  mention: 'A post or comment mentions the account.',
  reply: 'A comment on a post of the account, or a reply to its comment.',
  quote: 'A post quotes one of the account.',
  like: 'A like of a post of the account.',
  repost: 'A repost of a post of the account.',
  follow: 'A new follower.',
  follow_request: 'A request to follow the account.',
  approved: 'An account approved the request to follow it.',
  proposal: 'An application proposes something to the account, which waits for its decision.',
  draft_failed: 'A scheduled draft of the account could not be published.',
} as const;

export type NotificationKind = keyof typeof kinds;

export const notificationKinds = Object.keys(kinds) as [NotificationKind, ...NotificationKind[]]; // the keys of a constant object

export const notificationTypesParameter = nameListParameter(notificationKinds)
  .default(notificationKinds)
  .meta({
    description: 'The types to list, separated by commas. All of them by default.',
    examples: [['mention', 'reply']],
  });

const kindsAboutPosts = ['mention', 'reply', 'quote', 'like', 'repost'] as const satisfies NotificationKind[];

const kindsAboutFollows = ['follow', 'follow_request', 'approved'] as const satisfies NotificationKind[];

/** The kinds that a token may read: those about follows need `users:read`, as lists of followers do, and those about drafts `posts`. */
export function notificationKindsFor(scopes: ReadonlySet<Scope>): readonly NotificationKind[] {
  return [
    ...kindsAboutPosts,
    ...(scopes.has('users:read') ? kindsAboutFollows : []),
    ...(scopes.has('posts') ? (['proposal', 'draft_failed'] as const) : []),
  ];
}

export const notificationSchema = z
  .object({
    objectType: z.literal('notification').meta({ description: 'Always `notification`.' }),
    kind: z
      .string()
      .meta({ description: 'Name of the service, followed by `#notification`.', examples: ['linnet#notification'] }),
    id: idOf('latest notification in this item'),
    type: z.enum(notificationKinds).meta({
      description: `What happened. ${Object.entries(kinds)
        .map(([kind, meaning]) => `\`${kind}\`: ${meaning}`)
        .join(' ')}`,
    }),
    count: z
      .int()
      .min(1)
      .meta({
        description:
          'Number of notifications of this type about the same post, or of follows or proposals. At most 1000.',
        examples: [3],
      }),
    unread: z
      .int()
      .min(0)
      .meta({ description: 'Number of those that are unread.', examples: [1] }),
    created: created.meta({ description: 'Time of the latest, in UTC. Always in English.' }),
    created_at: createdAt.meta({ description: 'Time of the latest, in UTC (RFC 3339).' }),
    users: z
      .array(accountSchema)
      .meta({ description: 'Accounts that did it, the latest first, at most 5. None if it is about drafts.' }),
    post: postSchema.optional(),
    comment: commentSchema.optional(),
    draft: draftSchema.optional(),
  })
  .meta({
    id: 'Notification',
    description:
      'What others did that concerns the acting account. `post` is absent for follows. `comment` is the latest comment, of a reply or a mention in a comment. `draft` is the latest proposal, or what could not be published.',
  });
export type Notification = z.infer<typeof notificationSchema>;

type PerKind<Value> = Record<NotificationKind, Value>;

/** Something for each kind, for a schema. */
function perKind<Value>(create: (meaning: string) => Value): PerKind<Value> {
  return Object.fromEntries(Object.entries(kinds).map(([kind, meaning]) => [kind, create(meaning)])) as PerKind<Value>; // every kind is a key
}

const proposalMail = 'Mail about new proposals, at most one an hour, to a confirmed address.';

const preferenceParameter = (meaning: string) =>
  flagParameter()
    .optional()
    .meta({ description: `Whether the account wants these. ${meaning}`, examples: [true] });

/** Parameters that switch kinds on and off. */
export const preferenceParameters = {
  ...perKind(preferenceParameter),
  proposal_mail: preferenceParameter(proposalMail),
};

const longestEndpoint = 2048;

/** The members of a `PushSubscription` of the browser (Push API). */
export const pushParameters = {
  endpoint: z
    .string({ error: 'must be a string' })
    .max(longestEndpoint, { error: `must be at most ${String(longestEndpoint)} characters long`, abort: true })
    .refine(isPushEndpoint, { error: 'must be a URL without a user name and fragment' })
    .meta({
      description: 'The address that the browser gives: an https URL without a port.',
      examples: ['https://updates.push.example/wpush/v2/gAAAAABk3Z'],
      ...documentAs({ maxLength: longestEndpoint }),
    }),
  p256dh: z
    .string({ error: 'must be a string' })
    .regex(/^[\w-]{87}=?$/, { error: 'must be 65 bytes in base64url' })
    .meta({
      description: 'Its public key, from `getKey("p256dh")`: 65 bytes in base64url.',
      examples: ['BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'],
    }),
  auth: z
    .string({ error: 'must be a string' })
    .regex(/^[\w-]{22}(?:==)?$/, { error: 'must be 16 bytes in base64url' })
    .meta({
      description: 'Its secret, from `getKey("auth")`: 16 bytes in base64url.',
      examples: ['BTBZMqHH6r4Tts7J_aSIgg'],
    }),
} as const;

function isPushEndpoint(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hash } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '' && hash === '';
}

export const pushKeySchema = z.object({
  key: z.string().meta({
    description: 'The public key of the service (VAPID, RFC 8292), for `applicationServerKey`.',
    examples: ['BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs'],
  }),
});

/** In the export, which has one object for each. */
export const exportedNotificationSchema = z.object({
  type: z.enum(notificationKinds),
  user: accountSchema,
  item_id: z.int().min(0),
  comment_id: z.int().min(0),
  read: bitSchema,
  created: z.string(),
  created_at: z.iso.datetime(),
});

/** 1: the account wants notifications of the kind. */
export const preferencesSchema = z.object({
  ...perKind((meaning) => bitSchema.meta({ description: meaning })),
  proposal_mail: bitSchema.meta({ description: proposalMail }),
});
export type NotificationPreferences = z.infer<typeof preferencesSchema>;
