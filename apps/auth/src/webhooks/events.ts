/** The events that an endpoint can ask for, with the scopes that a grant needs, of which one is enough. */
const postScopes = ['posts:read', 'posts'] as const;
const userScopes = ['users:read', 'users'] as const;
/** Of these, `posts:propose` is enough for what the application itself proposed. */
const draftScopes = ['posts:propose', 'posts'] as const;

const webhookEvents = {
  'mention.created': postScopes,
  'comment.created': postScopes,
  'comment.deleted': postScopes,
  'like.created': postScopes,
  'like.deleted': postScopes,
  'repost.created': postScopes,
  'repost.deleted': postScopes,
  'post.created': postScopes,
  'post.edited': postScopes,
  'post.deleted': postScopes,
  'follow.created': userScopes,
  'follow.deleted': userScopes,
  'follow_request.created': userScopes,
  'draft.proposed': draftScopes,
  'draft.scheduled': draftScopes,
  'draft.published': draftScopes,
  'draft.rejected': draftScopes,
  'draft.failed': draftScopes,
} as const;

export type WebhookEvent = keyof typeof webhookEvents;

/** In the order of the form. Object.keys returns string[]. */
export const webhookEventNames = Object.keys(webhookEvents) as readonly WebhookEvent[];

export function isWebhookEvent(name: string): name is WebhookEvent {
  return Object.hasOwn(webhookEvents, name);
}

/** SQL: the scopes of which a grant needs one for an event of this kind. */
export function scopesOf(kind: string): string {
  return `CASE WHEN ${kind}::text LIKE 'follow%' THEN ${toArray(userScopes)}
    WHEN ${kind}::text LIKE 'draft%' THEN ${toArray(draftScopes)} ELSE ${toArray(postScopes)} END`;
}

function toArray(scopes: readonly string[]): string {
  return `ARRAY[${scopes.map((scope) => `'${scope}'`).join(', ')}]`;
}
