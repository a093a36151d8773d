import type { VNode } from 'preact';

import { useCell } from '../data/cell.ts';
import { currentPath, parseRoute } from '../router.ts';
import { useClient } from '../client.ts';
import { Empty, Missing } from '../parts/empty.tsx';
import { Paged } from '../parts/paged.tsx';
import { renderPost } from '../parts/post-card.tsx';
import { DraftsPage } from './drafts-page.tsx';
import { ExplorePage } from './explore-page.tsx';
import { FeedPage } from './feed-page.tsx';
import { FiltersPage } from './filters-page.tsx';
import { FollowedHashtagsPage, HashtagPage } from './hashtag-page.tsx';
import { BlockedPage, MutedPage } from './hidden-people-page.tsx';
import { NotificationsPage } from './notifications-page.tsx';
import { PageHead } from './page-head.tsx';
import { PostPage } from './post-page.tsx';
import { ProfilePage } from './profile-page.tsx';
import { RequestsPage } from './requests-page.tsx';
import { SettingsPage } from './settings-page.tsx';

const pages = {
  feed: FeedPage,
  explore: ExplorePage,
  requests: RequestsPage,
  notifications: NotificationsPage,
  bookmarks: BookmarksPage,
  drafts: DraftsPage,
  hashtags: FollowedHashtagsPage,
  filters: FiltersPage,
  muted: MutedPage,
  blocked: BlockedPage,
  settings: SettingsPage,
  missing: MissingPage,
};

/** The page that belongs to the address. */
export function CurrentPage(): VNode {
  const route = parseRoute(useCell(currentPath));
  if (route.page === 'post') return <PostPage key={route.id} id={route.id} />;
  if (route.page === 'hashtag') return <HashtagPage key={route.hashtag} hashtag={route.hashtag} />;
  if (route.page === 'profile') {
    return <ProfilePage key={route.username} username={route.username} tab={route.tab} />;
  }
  const Page = pages[route.page];
  return <Page />;
}

function MissingPage(): VNode {
  const { texts } = useClient();
  return (
    <>
      <PageHead title={texts.notFound.title} />
      <Missing text={texts.notFound.text} />
    </>
  );
}

/** Posts that the person keeps, which nobody else sees. */
function BookmarksPage(): VNode {
  const { texts, session } = useClient();
  return (
    <>
      <PageHead title={texts.bookmarks.title} hasBack />
      <Paged
        list={session.bookmarks()}
        render={renderPost}
        label={texts.bookmarks.title}
        empty={<Empty title={texts.bookmarks.empty} hint={texts.bookmarks.hint} />}
      />
    </>
  );
}
