import { findChosen, searchAccounts } from '@linnet/accounts/account-search-store';
import type { ChosenAccount, FoundAccount } from '@linnet/accounts/account-search-store';
import type { Queryable } from '@linnet/db/statement/transaction';
import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import type { Frame } from '../../../pages/frame/frame.ts';
import { findDone, renderPage } from '../../../pages/frame/render.tsx';
import { ErrorSummary } from '../../../pages/views/field.tsx';
import { Notice } from '../../../pages/views/notice.tsx';
import { pagePaths } from '../../../pages/views/page-paths.ts';
import type { AreaPage } from '../../../sign-in/visit/area.ts';
import { parseId, readNumber, readText, withQuery } from '../act-form.tsx';
import { AdminLayout, NextLink } from '../admin-layout.tsx';
import { ChoiceForm, chosenRoute } from '../chosen.tsx';
import type { BulkList, RowProps } from '../chosen.tsx';
import { toMarkText } from './person-facts.tsx';
import { PeopleFilterForm, peopleErrors, readPeopleQuery, toPeopleFilter } from './people-filter.tsx';
import type { PeopleQuery, WrongField } from './people-filter.tsx';
import { bulkActNames, possibleActs, runPersonAct } from './person-acts.ts';
import type { BulkActName } from './person-acts.ts';

/** Also the most that one act is about. */
const pageSize = 50;

/** `/admin/people`: finds people; without a query the newest. */
export function peopleRoute(db: Queryable): AreaPage {
  return {
    path: pagePaths.adminPeople,
    show: async ({ ctx, frame }) => {
      const query = readPeopleQuery(ctx);
      const { search, wrong } = toPeopleFilter(query);
      if (wrong.length > 0) {
        renderPage(ctx, <PeoplePage {...{ frame, query, wrong }} people={[]} />, { status: 422 });
        return;
      }
      const before = readNumber(ctx, 'before');
      const found = await searchAccounts(db, { ...search, before, limit: pageSize + 1 });
      const people = found.slice(0, pageSize);
      const last = found.length > pageSize ? people.at(-1)?.id : undefined;
      const next = last === undefined ? undefined : withQuery(ctx.path, { ...query, before: String(last) });
      const isAllChosen = readText(ctx, 'all') !== '';
      const all = withQuery(ctx.path, { ...query, before: String(before ?? ''), all: '1' });
      const done = findDone(ctx, bulkActNames);
      renderPage(ctx, <PeoplePage {...{ frame, query, people, next, all, isAllChosen, done }} />);
    },
  };
}

/** `/admin/people/chosen` */
export function chosenPeopleRoute(db: Queryable): AreaPage {
  return chosenRoute<ChosenAccount, BulkActName>({
    list: peopleList,
    isPossible: (person, name) => possibleActs(person).includes(name),
    most: pageSize,
    toId: (text) => parseId(text)?.toString(),
    find: async (ids) => await findChosen(db, ids.map(Number)),
    run: async (within, name, { id, shownReason }) => await runPersonAct(within, name, { id: Number(id), shownReason }),
  });
}

interface PeoplePageProps {
  readonly frame: Frame;
  readonly query: PeopleQuery;
  readonly wrong?: readonly WrongField[];
  /** Newest first. */
  readonly people: readonly FoundAccount[];
  /** Address of the next page. */
  readonly next?: string | undefined;
  /** Address of this page with everybody chosen. */
  readonly all?: string;
  readonly isAllChosen?: boolean;
  /** What was done just now to several accounts. */
  readonly done?: BulkActName | undefined;
}

export function PeoplePage(props: PeoplePageProps): VNode {
  const { frame, query, wrong = [], people, next, all = '', isAllChosen = false, done } = props;
  const errors = peopleErrors(frame, wrong);
  const { people: texts, search } = frame.messages.admin;
  return (
    <AdminLayout frame={frame} page="people" title={texts.title}>
      <ErrorSummary frame={frame} errors={errors} />
      {done === undefined ? null : <Notice kind="done">{texts.bulk.done[done]}</Notice>}
      <PeopleFilterForm frame={frame} query={query} errors={errors} />
      {people.length === 0 ? (
        <p class="empty">{search.none}</p>
      ) : (
        <ChoiceForm {...{ frame, all, isAllChosen }} list={peopleList} rows={people} />
      )}
      <NextLink frame={frame} next={next} />
    </AdminLayout>
  );
}

function Name({ frame, row: person }: RowProps<FoundAccount>): VNode {
  const { messages } = frame;
  const { people: texts } = messages.admin;
  const marks = [
    ...(person.state === 'active' ? [] : [texts.states[person.state]]),
    ...(person.isEmailConfirmed ? [] : [texts.unconfirmed]),
    ...(person.mark === null ? [] : [toMarkText(messages, person.mark)]),
  ];
  return (
    <>
      <UserText text={person.displayName} />
      {person.isVerified ? <span class="tag">{messages.names.verified}</span> : null}
      {person.isOperator ? <span class="tag">{texts.operator}</span> : null}
      {marks.map((mark) => (
        <span key={mark} class="tag warning">
          {mark}
        </span>
      ))}
    </>
  );
}

function Facts({ frame, row: person }: RowProps<FoundAccount>): VNode {
  const { messages } = frame;
  const { id, username, email, createdAt } = person;
  return (
    <>
      <a href={pagePaths.adminPerson(id)}>
        <UserText text={`@${username}`} />
      </a>{' '}
      · <UserText text={email} /> ·{' '}
      <time datetime={createdAt.toISOString()}>{messages.admin.people.registered(messages.formatDay(createdAt))}</time>
    </>
  );
}

export const peopleList: BulkList<FoundAccount, BulkActName> = {
  page: 'people',
  listPath: pagePaths.adminPeople,
  path: pagePaths.adminChosen,
  names: bulkActNames,
  textsOf: ({ admin }) => ({ bulk: admin.people.bulk, acts: admin.person.actTexts }),
  idOf: ({ id }) => String(id),
  Name,
  Facts,
};
