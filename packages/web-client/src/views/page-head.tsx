import { ApiError } from '@linnet/sdk';
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { useCell } from '../data/cell.ts';
import type { PagedList } from '../data/paged-list.ts';
import { Missing } from '../parts/empty.tsx';
import { Icon } from '../parts/icons.tsx';
import { Failure, useLoaded } from '../parts/paged.tsx';
import { goBack } from '../router.ts';
import { useClient } from '../client.ts';

interface PageHeadProps {
  readonly title: string;
  readonly hasBack?: boolean;
  readonly children?: ComponentChildren;
}

/** The heading of a page. It sets the title of the window, and takes the focus, so that screen readers read it. */
export function PageHead({ title, hasBack = false, children }: PageHeadProps): VNode {
  const { texts, settings } = useClient();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${settings.serviceName}`;
  }, [title]);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <header class="page-head">
      {hasBack && (
        <button type="button" class="round" aria-label={texts.navigation.back} onClick={goBack}>
          <Icon name="back" />
        </button>
      )}
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </header>
  );
}

interface UnloadedProps {
  /** A list of the one thing that the page is about. */
  readonly list: Pick<PagedList<unknown>, 'state' | 'loadMore'>;
  /** While it is being loaded. */
  readonly title: string;
  /** The text if it does not exist. */
  readonly gone: string;
}

/** Instead of a page that is being loaded, does not exist or could not be loaded. */
export function Unloaded({ list, title, gone }: UnloadedProps): VNode {
  const { texts, report } = useClient();
  const { status, error } = useCell(list.state);
  const hasFailed = status === 'failed';
  const isGone = error instanceof ApiError && (error.status === 400 || error.status === 404);
  useLoaded(list);
  useEffect(() => {
    if (hasFailed && !isGone) report(error);
  }, [status]);
  return (
    <>
      <PageHead title={isGone ? texts.notFound.title : title} hasBack />
      {isGone && <Missing text={gone} />}
      {hasFailed && !isGone && <Failure list={list} error={error} />}
    </>
  );
}
