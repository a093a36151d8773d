import { isActiveGrant } from '@linnet/applications/grants/active-grant';
import { isOpenTo, isUnlimited, visibleTo } from '@linnet/social/account/visibility';

/** The events that an endpoint can ask for, with the scopes that a grant needs, of which one is enough. */
const postScopes = ['posts:read', 'posts'] as const;
const userScopes = ['users:read', 'users'] as const;
/** Of these, `posts:propose` is enough for what the application itself proposed. */
const draftScopes = ['posts:propose', 'posts'] as const;

export const webhookEvents = {
  'mention.created': postScopes,
  'quote.created': postScopes,
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
function scopesOf(kind: string): string {
  return `CASE WHEN ${kind}::text LIKE 'follow%' THEN ${toArray(userScopes)}
    WHEN ${kind}::text LIKE 'draft%' THEN ${toArray(draftScopes)} ELSE ${toArray(postScopes)} END`;
}

function toArray(scopes: readonly string[]): string {
  return `ARRAY[${scopes.map((scope) => `'${scope}'`).join(', ')}]`;
}

// Who may receive an event: decided when its deliveries are written, again before each attempt, and for those who listen.

/** Columns of the event. */
interface EventColumns {
  readonly kind: string;
  readonly actor: string;
  readonly concerned: string;
  readonly post: string;
  readonly draft: string;
}

/**
 * SQL condition: may an application receive this event for the person `account`? The person authorized it, the grant has the scope now,
 * neither they nor the owner are suspended, paused or deleted, and the person may see who did it and the post. Accounts that they mute, and limited ones that they do not follow, send no events.
 * `application` is an alias of the application.
 */
export function mayReceive(application: string, account: string, event: EventColumns): string {
  const { kind, actor, concerned, post, draft } = event;
  const wanted = scopesOf(kind);
  const isOwn = `(${draft} IS NULL OR EXISTS (SELECT 1 FROM draft own WHERE own.id = ${draft} AND own.client_id = ${application}.client_id))`;
  return `${maySend(application)} AND ${application}.scopes && ${wanted}
    AND EXISTS (SELECT 1 FROM "grant" g WHERE g.account_id = ${account} AND g.client_id = ${application}.client_id
      AND ${isActiveGrant('g')} AND (g.kind = 'act_as_owner' OR g.scopes && ${wanted})
      AND (${isOwn} OR 'posts' = ANY (${application}.scopes) AND (g.kind = 'act_as_owner' OR 'posts' = ANY (g.scopes))))
    AND (${draft} IS NULL OR EXISTS (SELECT 1 FROM draft kept WHERE kept.id = ${draft}))
    AND EXISTS (SELECT 1 FROM account receiver WHERE receiver.id = ${account} AND receiver.hidden_at IS NULL)
    AND (${actor} = ${account} OR EXISTS (SELECT 1 FROM account doer WHERE doer.id = ${actor} AND doer.hidden_at IS NULL
      AND ${isOpenTo(account, 'doer')} AND ${isUnlimited(account, 'doer')} AND NOT EXISTS (
        SELECT 1 FROM mute m WHERE m.muter_id = ${account} AND m.muted_id = doer.id AND (m.ends_at IS NULL OR m.ends_at > now()))))
    AND (${concerned} IS NULL OR ${concerned} = ${account} OR EXISTS (
      SELECT 1 FROM account other WHERE other.id = ${concerned} AND ${isOpenTo(account, 'other')}))
    AND (${post} IS NULL OR CASE WHEN ${kind}::text LIKE '%.deleted'
      THEN ${account} IN (${actor}, ${concerned}) OR EXISTS (
        SELECT 1 FROM account author WHERE author.id = COALESCE(${concerned}, ${actor}) AND ${visibleTo(account, 'author')})
      ELSE EXISTS (
        SELECT 1 FROM post p JOIN account author ON author.id = p.author_id WHERE p.id = ${post} AND ${visibleTo(account, 'author')}) END)`;
}

/** SQL condition: neither the application nor its owner is suspended, paused or deleted. */
export function maySend(application: string): string {
  return `${application}.suspended_at IS NULL AND ${application}.paused_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM account o WHERE o.id = ${application}.owner_id AND o.hidden_at IS NOT NULL)`;
}
