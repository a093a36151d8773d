import type { Route } from './route.ts';
import * as accountRoutes from './routes/account.ts';
import * as authRoutes from './routes/auth.ts';
import * as bookmarksRoutes from './routes/bookmarks.ts';
import * as blocksRoutes from './routes/blocks.ts';
import * as commentRoutes from './routes/comment.ts';
import * as draftsRoutes from './routes/drafts.ts';
import * as eventsRoutes from './routes/events.ts';
import * as feedRoutes from './routes/feed.ts';
import * as followsRoutes from './routes/follows.ts';
import * as hashtagsRoutes from './routes/hashtags.ts';
import * as likesRoutes from './routes/likes.ts';
import * as mediaRoutes from './routes/media.ts';
import * as mentionsRoutes from './routes/mentions.ts';
import * as filtersRoutes from './routes/filters.ts';
import * as mutesRoutes from './routes/mutes.ts';
import * as notificationsRoutes from './routes/notifications.ts';
import * as postRoutes from './routes/post.ts';
import * as reportsRoutes from './routes/reports.ts';
import * as repostsRoutes from './routes/reposts.ts';
import * as searchRoutes from './routes/search.ts';
import * as usersRoutes from './routes/users.ts';

/** Every row with a response of one object, by its name. The documentation and the generated tests read this table. */
export const routesByName: Readonly<Record<string, Route>> = {
  ...authRoutes,
  ...accountRoutes,
  ...usersRoutes,
  ...postRoutes,
  ...feedRoutes,
  ...hashtagsRoutes,
  ...searchRoutes,
  ...mentionsRoutes,
  ...notificationsRoutes,
  ...commentRoutes,
  ...likesRoutes,
  ...bookmarksRoutes,
  ...repostsRoutes,
  ...followsRoutes,
  ...blocksRoutes,
  ...mutesRoutes,
  ...filtersRoutes,
  ...reportsRoutes,
  ...mediaRoutes,
  ...draftsRoutes,
};

/** The rows whose response stays open (`streams`), by their names. */
export const streamsByName: Readonly<Record<string, Route>> = { ...eventsRoutes };
