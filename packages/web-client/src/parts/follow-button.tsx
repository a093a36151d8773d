import type { Hashtag, ShownAccount } from '@linnet/sdk';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import { useActor } from '../client.ts';
import { useCell } from '../data/cell.ts';
import { Icon } from './icons.tsx';

type Standing = 'none' | 'following' | 'requested';

interface FollowButtonProps {
  readonly account: Pick<ShownAccount, 'id' | 'username' | 'viewer'>;
  /** Called with the new number of followers. */
  readonly onChange?: (followers: number, isFollowing: boolean) => void;
}

/** Follows, asks to follow a protected account, or undoes either. */
export function FollowButton({ account, onChange }: FollowButtonProps): VNode {
  const { texts, session, notify, report } = useActor();
  const { id, username } = account;
  const { follows } = session.linnet;
  const [standing, setStanding] = useState(standingOf(account));

  async function follow(): Promise<void> {
    const { count, requested } = await follows.add({ id });
    setStanding(requested === 1 ? 'requested' : 'following');
    notify(requested === 1 ? texts.profile.sentRequest(username) : texts.profile.followed(username));
    session.changeFollow(id);
    onChange?.(count, requested === 0);
  }

  async function unfollow(): Promise<void> {
    const { count } = await follows.delete({ id });
    setStanding('none');
    if (standing === 'following') notify(texts.profile.unfollowed(username));
    session.changeFollow(id);
    onChange?.(count, false);
  }

  if (standing === 'none') {
    return (
      <button type="button" class="button primary follow" onClick={() => void follow().catch(report)}>
        {texts.profile.follow} <span class="unseen">@{username}</span>
      </button>
    );
  }
  const hint = standing === 'following' ? texts.profile.unfollowHint : texts.profile.withdrawHint;
  return (
    <button
      type="button"
      class="button quiet quiet-button follow"
      title={hint(username)}
      onClick={() => void unfollow().catch(report)}
    >
      {standing === 'following' ? texts.profile.unfollow : texts.profile.requested}
      <span class="unseen">. {hint(username)}</span>
    </button>
  );
}

function standingOf({ viewer }: Pick<ShownAccount, 'viewer'>): Standing {
  if (viewer?.following === 1) return 'following';
  return viewer?.follow_requested === 1 ? 'requested' : 'none';
}

interface FollowHashtagProps {
  readonly hashtag: Hashtag;
  /** A sign instead of a word, beside the hashtag. */
  readonly isSmall?: boolean;
}

/** Follows a hashtag, or undoes it. */
export function FollowHashtag({ hashtag: { text, viewer }, isSmall = false }: FollowHashtagProps): VNode {
  const { texts, session, notify, report } = useActor();
  const changed = useCell(session.followedHashtags);
  const isFollowed = changed.get(text) ?? viewer?.following === 1;
  async function change(): Promise<void> {
    const { hashtags } = session.linnet;
    if (isFollowed) await hashtags.followsDelete({ hashtag: text });
    else await hashtags.followsAdd({ hashtag: text });
    session.followedHashtags.set(new Map([...session.followedHashtags.get(), [text, !isFollowed]]));
    notify(isFollowed ? texts.hashtags.unfollowed(text) : texts.hashtags.followed(text));
    session.resetFeed();
  }
  const { unfollow, follow } = texts.profile;
  const hint = texts.hashtags.unfollow(text);
  const [word, rest, icon] = isFollowed
    ? [unfollow, `. ${hint}`, 'check' as const]
    : [follow, ` #${text}`, 'plus' as const];
  return (
    <button
      type="button"
      class={isFollowed || isSmall ? 'button quiet quiet-button follow' : 'button primary follow'}
      title={isFollowed ? hint : undefined}
      onClick={() => void change().catch(report)}
    >
      {isSmall ? <Icon name={icon} /> : word}
      <span class="unseen">{isSmall ? `${word}${rest}` : rest}</span>
    </button>
  );
}
