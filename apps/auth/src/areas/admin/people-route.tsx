import { searchAccounts } from '@linnet/accounts/account-search-store';
import type { Queryable } from '@linnet/db/database';

import { renderPage } from '../../pages/frame/render.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import type { AreaPage } from '../../sign-in/visit/area.ts';
import { PeoplePage } from './people-page.tsx';
import { readNumber, readText, withQuery } from './query.ts';

const pageSize = 50;

/** `/admin/people?q=`: finds people; without `q` the newest. */
export function peopleRoute(db: Queryable): AreaPage {
  return {
    path: pagePaths.adminPeople,
    show: async ({ ctx, frame }) => {
      const text = readText(ctx, 'q');
      const before = readNumber(ctx, 'before');
      const found = await searchAccounts(db, { text, state: undefined, before, limit: pageSize + 1 });
      const people = found.slice(0, pageSize);
      const last = found.length > pageSize ? people.at(-1)?.id : undefined;
      const next = last === undefined ? undefined : withQuery(ctx.path, { q: text, before: String(last) });
      renderPage(ctx, <PeoplePage {...{ frame, text, people, next }} />);
    },
  };
}
