import type { Hashtag, ShownAccount } from '@linnet/sdk';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import { useActor } from '../client.ts';

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
    session.resetFeed();
    onChange?.(count, requested === 0);
  }

  async function unfollow(): Promise<void> {
    const { count } = await follows.delete({ id });
    setStanding('none');
    if (standing === 'following') notify(texts.profile.unfollowed(username));
    session.resetFeed();
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

/** Follows a hashtag, or undoes it. */
export function FollowHashtag({ hashtag: { text, viewer } }: { readonly hashtag: Hashtag }): VNode {
  const { texts, session, notify, report } = useActor();
  const [isFollowed, setFollowed] = useState(viewer?.following === 1);
  async function change(): Promise<void> {
    const { hashtags } = session.linnet;
    if (isFollowed) await hashtags.followsDelete({ hashtag: text });
    else await hashtags.followsAdd({ hashtag: text });
    setFollowed(!isFollowed);
    notify(isFollowed ? texts.hashtags.unfollowed(text) : texts.hashtags.followed(text));
    session.resetFeed();
  }
  return (
    <button
      type="button"
      class={isFollowed ? 'button quiet quiet-button follow' : 'button primary follow'}
      title={isFollowed ? texts.hashtags.unfollow(text) : undefined}
      onClick={() => void change().catch(report)}
    >
      {isFollowed ? texts.profile.unfollow : texts.profile.follow}
      <span class="unseen">{isFollowed ? `. ${texts.hashtags.unfollow(text)}` : ` #${text}`}</span>
    </button>
  );
}
