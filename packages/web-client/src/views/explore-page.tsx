import type { Account, Hashtag } from '@linnet/sdk';
import type { VNode } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';

import { useCell } from '../data/cell.ts';
import type { PagedList } from '../data/paged-list.ts';
import { Hashtags, Trending } from '../parts/hashtags.tsx';
import { Icon } from '../parts/icons.tsx';
import { Paged } from '../parts/paged.tsx';
import { useClient } from '../client.ts';
import { renderPost } from '../parts/post-card.tsx';
import { PageHead } from './page-head.tsx';
import { FollowRow } from './profile-lists.tsx';

/** What people talk about and the latest posts of everyone; or what the person searches for. */
export function ExplorePage(): VNode {
  const { texts, session } = useClient();
  const query = useCell(session.search);
  return (
    <>
      <PageHead title={texts.explore.title} />
      <SearchForm />
      {query === '' ? (
        <>
          <Trending />
          <Paged
            list={session.explore()}
            render={renderPost}
            label={texts.explore.title}
            empty={<p class="empty-title">{texts.feed.empty}</p>}
          />
        </>
      ) : (
        <Found key={query} query={query} />
      )}
    </>
  );
}

/** Long enough that a word is not searched for letter by letter. */
const typingMs = 300;
/** As many as the API takes. */
const maxWords = 10;
const maxLength = 100;

function SearchForm(): VNode {
  const { texts, session } = useClient();
  const [text, setText] = useState(session.search.get());
  const id = useId();
  const search = () => session.search.set(toQuery(text));
  useEffect(() => {
    const timer = setTimeout(search, typingMs);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <search>
      <form
        class="search-form"
        onSubmit={(event) => {
          event.preventDefault();
          search();
        }}
      >
        <label class="unseen" for={id}>
          {texts.explore.search}
        </label>
        <Icon name="search" />
        <input
          id={id}
          type="search"
          autocomplete="off"
          maxLength={maxLength}
          placeholder={texts.explore.search}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </form>
    </search>
  );
}

/** Without a letter or a digit there is nothing to search for. */
function toQuery(text: string): string {
  if (!/[\p{L}\p{N}_]/u.test(text)) return '';
  return text.trim().split(/\s+/u).slice(0, maxWords).join(' ');
}

/** Hashtags and people first, because they are few; posts below them. */
function Found({ query }: { readonly query: string }): VNode {
  const { texts, session } = useClient();
  const { explore } = texts;
  const [hashtags, setHashtags] = useState<readonly Hashtag[]>([]);
  useEffect(() => {
    const [hashtag] = /^#?[\p{L}\p{M}\p{N}_\u200C\u200D]+$/u.exec(query) ?? [];
    if (hashtag === undefined) return;
    // Without them, people and posts are found all the same.
    session.linnet.hashtags.search({ hashtag, count: shownHashtags }).then(
      ({ items }) => setHashtags(items),
      () => undefined,
    );
  }, []);
  return (
    <>
      {hashtags.length > 0 && (
        <section class="trending">
          <h2>{explore.hashtags}</h2>
          <Hashtags hashtags={hashtags} />
        </section>
      )}
      <FoundPeople list={session.findPeople(query)} />
      <h2 class="found-title">{texts.profile.posts}</h2>
      <Paged
        list={session.findPosts(query)}
        render={renderPost}
        label={texts.profile.posts}
        empty={<p>{explore.noPosts}</p>}
      />
    </>
  );
}

const shownHashtags = 8;
/** The others follow when the person asks for them. */
const shownPeople = 3;

function FoundPeople({ list }: { readonly list: PagedList<Account> }): VNode {
  const { texts, language } = useClient();
  const { explore } = texts;
  const [isComplete, showAll] = useState(false);
  const { items, isLoaded, next } = useCell(list.state);
  useEffect(() => {
    if (!list.state.get().isLoaded) void list.loadMore();
  }, [list]);
  const hasMore = items.length > shownPeople || next !== undefined;
  return (
    <>
      <h2 class="found-title">{explore.people}</h2>
      <p class="unseen" role="status">
        {isLoaded && next === undefined && items.length > 0 && explore.found(items.length, language)}
      </p>
      {isComplete ? (
        <Paged list={list} render={renderPerson} label={explore.people} empty={null} />
      ) : (
        <ul class="list" aria-label={explore.people}>
          {items.slice(0, shownPeople).map((account) => (
            <li key={account.id}>{renderPerson(account)}</li>
          ))}
        </ul>
      )}
      {isLoaded && items.length === 0 && (
        <p class="found-nothing" role="status">
          {explore.nobody} {explore.nobodyHint}
        </p>
      )}
      {hasMore && !isComplete && (
        <p class="found-nothing">
          <button type="button" class="link" onClick={() => showAll(true)}>
            {explore.all}
          </button>
        </p>
      )}
    </>
  );
}

const renderPerson = (account: Account) => <FollowRow account={account} />;
