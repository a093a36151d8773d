import type { VNode } from 'preact';

import { useCell } from '../data/cell.ts';
import { currentPath, parseRoute, paths } from '../router.ts';
import { useWarbler } from '../warbler.ts';
import { BookmarksPage } from './bookmarks-page.tsx';
import { ExplorePage } from './explore-page.tsx';
import { FeedPage } from './feed-page.tsx';
import { FiltersPage } from './filters-page.tsx';
import { NotificationsPage } from './notifications-page.tsx';
import { PageHead } from './page-head.tsx';
import { PostPage } from './post-page.tsx';
import { ProfilePage } from './profile-page.tsx';
import { RequestsPage } from './requests-page.tsx';

/** The page that belongs to the address. */
export function CurrentPage(): VNode {
  const route = parseRoute(useCell(currentPath));
  switch (route.page) {
    case 'feed':
      return <FeedPage />;
    case 'explore':
      return <ExplorePage />;
    case 'requests':
      return <RequestsPage />;
    case 'notifications':
      return <NotificationsPage />;
    case 'bookmarks':
      return <BookmarksPage />;
    case 'filters':
      return <FiltersPage />;
    case 'post':
      return <PostPage key={route.id} id={route.id} />;
    case 'profile':
      return <ProfilePage key={route.username} username={route.username} tab={route.tab} />;
    case 'missing':
      return <MissingPage />;
  }
}

function MissingPage(): VNode {
  const { texts } = useWarbler();
  return (
    <>
      <PageHead title={texts.notFound.title} />
      <div class="empty">
        <p>{texts.notFound.text}</p>
        <a class="button quiet" href={paths.feed}>
          {texts.notFound.home}
        </a>
      </div>
    </>
  );
}
