import { isApiError } from '@linnet/sdk';
import type { Account, ShownAccount } from '@linnet/sdk';
import type { VNode } from 'preact';

import { AccountRow } from '../parts/account-row.tsx';
import { Empty } from '../parts/empty.tsx';
import { FollowButton } from '../parts/follow-button.tsx';
import { Icon } from '../parts/icons.tsx';
import { Paged } from '../parts/paged.tsx';
import { useCell } from '../data/cell.ts';
import type { ProfileTab } from '../router.ts';
import { useClient } from '../client.ts';
import { renderPost } from '../parts/post-card.tsx';

interface ProfileListsProps {
  readonly account: ShownAccount;
  readonly tab: ProfileTab;
}

/** The list of a tab of a profile. */
export function ProfileLists({ account, tab }: ProfileListsProps): VNode {
  const { texts, session } = useClient();
  const { profile } = texts;
  const { id } = account;
  switch (tab) {
    case 'posts':
      return <Posts account={account} />;
    case 'likes':
      return (
        <Paged
          list={session.likes(id)}
          render={renderPost}
          label={profile.likes}
          empty={<Empty title={profile.noLikes} />}
        />
      );
    case 'followers':
      return (
        <Paged
          list={session.followers(id)}
          render={(one) => <FollowRow account={one} />}
          label={profile.followers}
          empty={<Empty title={profile.noFollowers} />}
        />
      );
    case 'following':
      return (
        <Paged
          list={session.following(id)}
          render={(one) => <FollowRow account={one} />}
          label={profile.following}
          empty={<Empty title={profile.noFollowing} />}
        />
      );
  }
}

/** An account that the person can follow. */
export function FollowRow({ account }: { readonly account: Account }): VNode {
  const { session } = useClient();
  return (
    <AccountRow account={account}>{account.id !== session.person.id && <FollowButton account={account} />}</AccountRow>
  );
}

function Posts({ account }: { readonly account: ShownAccount }): VNode {
  const { texts, session } = useClient();
  const list = session.posts(account.id);
  const { error } = useCell(list.state);
  if (isApiError(error, 'protected-account')) {
    return (
      <div class="empty">
        <Icon name="lock" />
        <p class="empty-title">{texts.profile.protectedTitle}</p>
        <p>{texts.profile.protectedText(account.username)}</p>
      </div>
    );
  }
  return (
    <Paged
      list={list}
      render={renderPost}
      label={texts.profile.posts}
      empty={<Empty title={texts.profile.noPosts} />}
    />
  );
}
