import { findProfile } from '@linnet/social/pages/profile-page-store';

import { renderPage } from '../../../pages/frame/render.tsx';
import { pagePaths } from '../../../pages/views/page-paths.ts';
import type { AreaPage } from '../../../sign-in/visit/area.ts';
import { toList, readBefore } from './follow.tsx';
import type { PeopleRouteOptions } from './follow.tsx';
import { PostsPage } from './posts.tsx';

/** `/account/posts`: the person's own posts. */
export function postsRoute(options: PeopleRouteOptions): AreaPage {
  const { db, viewContext, imageSources } = options;
  return {
    path: pagePaths.posts,
    show: async ({ ctx, frame, session, viewer }) => {
      const { username } = viewer;
      const profile = await findProfile(db, { username, viewer: session.accountId, before: readBefore(ctx) });
      if (profile === undefined) return;
      const list = toList(profile, { ctx, viewContext });
      const page = <PostsPage {...{ frame, username, isProtected: profile.isProtected, list }} />;
      renderPage(ctx, page, { images: imageSources });
    },
  };
}
