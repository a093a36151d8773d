import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { Icon } from '../parts/icons.tsx';
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
