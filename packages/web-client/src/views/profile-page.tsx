import type { ShownAccount } from '@linnet/sdk';
import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';

import { useCell } from '../data/cell.ts';
import { keepCopy } from '../data/read-copies.ts';
import { createPagedList } from '../data/paged-list.ts';
import { Avatar } from '../parts/account-row.tsx';
import { FollowButton } from '../parts/follow-button.tsx';
import { VerifiedBadge } from '../parts/icons.tsx';
import { PersonMenu } from '../parts/person-menu.tsx';
import { paths } from '../router.ts';
import type { ProfileTab } from '../router.ts';
import { useClient } from '../client.ts';
import { PageHead, Unloaded } from './page-head.tsx';
import { ProfileLists } from './profile-lists.tsx';

interface ProfilePageProps {
  readonly username: string;
  readonly tab: ProfileTab;
}

export function ProfilePage({ username, tab }: ProfilePageProps): VNode {
  const { texts, session } = useClient();
  const shown = useMemo(
    () =>
      createPagedList(
        keepCopy(`@${username}`, async () => ({ items: [await session.linnet.users.show({ username })] })),
      ),
    [username],
  );
  const [account] = useCell(shown.state).items;
  /** Raised when a follow began or ended, because other posts are visible then. */
  const [follows, setFollows] = useState(0);
  if (account === undefined) return <Unloaded list={shown} title={`@${username}`} gone={texts.profile.gone} />;
  const countFollowers = (followers: number) => {
    shown.replace({ ...account, action: { ...account.action, followers } });
    setFollows(follows + 1);
  };
  return (
    <>
      <PageHead title={account.displayName} hasBack />
      <ProfileCard account={account} onFollow={countFollowers} />
      <nav class="tabs" aria-label={texts.profile.tabs}>
        {(['posts', 'likes', 'followers', 'following'] as const).map((one) => (
          <a key={one} href={paths.profile(account.username, one)} aria-current={one === tab ? 'page' : undefined}>
            {texts.profile[one]}
          </a>
        ))}
      </nav>
      <ProfileLists key={`${tab} ${String(follows)}`} account={account} tab={tab} />
    </>
  );
}

interface ProfileCardProps {
  readonly account: ShownAccount;
  readonly onFollow: (followers: number) => void;
}

function ProfileCard({ account, onFollow }: ProfileCardProps): VNode {
  const { texts, language, session, settings } = useClient();
  const { posts, followers, following } = account.action;
  const joined = new Date(account.created_at).toLocaleDateString(language, { month: 'long', year: 'numeric' });
  return (
    <section class="profile-card">
      <div class="banner" aria-hidden="true" />
      <div class="profile-top">
        <Avatar src={account.avatar} size="large" />
        {account.id === session.person.id ? (
          <a class="button quiet" href={`${settings.issuer}/account`} target="_blank" rel="noopener">
            {texts.profile.edit}
          </a>
        ) : (
          <span class="profile-actions">
            <PersonMenu account={account} subject={{ item_id: account.id, type: 'account' }} />
            <FollowButton account={account} onChange={onFollow} />
          </span>
        )}
      </div>
      <p class="profile-name">
        <bdi>{account.displayName}</bdi>
        {account.verified === 1 && <VerifiedBadge label={texts.post.verified} />}
      </p>
      <p class="username">@{account.username}</p>
      {account.description !== '' && <p class="description">{account.description}</p>}
      <p class="facts">
        {account.country !== '' && <span>{account.country}</span>}
        <span>{texts.profile.joined(joined)}</span>
      </p>
      <p class="counts">
        <a href={paths.profile(account.username)}>{texts.profile.postCount(posts, language)}</a>
        <a href={paths.profile(account.username, 'followers')}>{texts.profile.followerCount(followers, language)}</a>
        <a href={paths.profile(account.username, 'following')}>
          {texts.profile.followingCount(new Intl.NumberFormat(language).format(following))}
        </a>
      </p>
    </section>
  );
}
