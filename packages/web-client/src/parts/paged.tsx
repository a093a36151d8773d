import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

import { useCell } from '../data/cell.ts';
import type { PagedList } from '../data/paged-list.ts';
import { describeProblem } from '../data/problem-text.ts';
import { useClient } from '../client.ts';

interface PagedProps<Item> {
  readonly list: PagedList<Item>;
  readonly render: (item: Item) => VNode;
  /** Which items have a row of their own. Default: all. */
  readonly pick?: (items: readonly Item[]) => readonly Item[];
  /** Shown instead of an empty list. */
  readonly empty: ComponentChildren;
  /** For screen readers. */
  readonly label: string;
}

/** Loads the first page of a list, and a page that failed when the browser is online again. */
export function useLoaded(list: Pick<PagedList<unknown>, 'state' | 'loadMore'>): void {
  // Before effects: a browser has few connections, and people look at the list first.
  useLayoutEffect(() => {
    if (!list.state.get().isLoaded) void list.loadMore();
    const retry = () => {
      if (list.state.get().status === 'failed') void list.loadMore();
    };
    addEventListener('online', retry);
    return () => removeEventListener('online', retry);
  }, [list]);
}

/** A list that loads its next page when its end comes into view; a button does the same. */
export function Paged<Item extends { readonly id: number }>(props: PagedProps<Item>): VNode {
  const { list, empty } = props;
  const { texts, report } = useClient();
  const { items, status, isLoaded, next, error } = useCell(list.state);
  useLoaded(list);
  useEffect(() => {
    if (status === 'failed') report(error);
  }, [status]);
  return (
    <>
      <Rows {...props} />
      {isLoaded && items.length === 0 && <div class="empty">{empty}</div>}
      {status === 'loading' && <Loading label={texts.list.loading} />}
      {status === 'failed' && <Failure list={list} error={error} />}
      {status === 'ready' && next !== undefined && <More list={list} />}
      {isLoaded && next === undefined && items.length > 0 && <p class="end">{texts.list.end}</p>}
    </>
  );
}

function Rows<Item extends { readonly id: number }>({ list, render, pick, label }: PagedProps<Item>): VNode {
  const { items, status } = useCell(list.state);
  return (
    <ul class="list" aria-label={label} aria-busy={status === 'loading'}>
      {(pick?.(items) ?? items).map((item) => (
        <li key={item.id}>{render(item)}</li>
      ))}
    </ul>
  );
}

function Loading({ label }: { readonly label: string }): VNode {
  return (
    <p class="loading" role="status">
      <span class="spinner" aria-hidden="true" />
      <span class="unseen">{label}</span>
    </p>
  );
}

interface OfList {
  readonly list: Pick<PagedList<never>, 'loadMore'>;
}

/** Why a page could not be loaded, and another attempt. */
export function Failure({ list, error }: OfList & { readonly error: unknown }): VNode {
  const { texts, language, settings } = useClient();
  return (
    <div class="failure">
      <p>{describeProblem(error, { texts, language, serviceName: settings.serviceName })}</p>
      <button type="button" class="quiet" onClick={() => void list.loadMore()}>
        {texts.list.retry}
      </button>
    </div>
  );
}

/** How far below the screen the next page is requested. */
const rootMargin = '600px';

function More({ list }: OfList): VNode {
  const { texts } = useClient();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const seen = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) void list.loadMore();
      },
      { rootMargin },
    );
    if (button.current !== null) seen.observe(button.current);
    return () => seen.disconnect();
  }, [list]);
  return (
    <p class="more">
      <button ref={button} type="button" class="quiet" onClick={() => void list.loadMore()}>
        {texts.list.more}
      </button>
    </p>
  );
}
