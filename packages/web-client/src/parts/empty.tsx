import type { VNode } from 'preact';

import { paths } from '../router.ts';
import { useClient } from '../client.ts';

interface EmptyProps {
  readonly title: string;
  readonly hint?: string | undefined;
}

/** Instead of an empty list: what could be here, and where to go from here. */
export function Empty({ title, hint }: EmptyProps): VNode {
  const { texts } = useClient();
  return (
    <>
      <p class="empty-title">{title}</p>
      {hint !== undefined && <p>{hint}</p>}
      <a class="button quiet" href={paths.explore}>
        {texts.explore.title}
      </a>
    </>
  );
}

/** Instead of a page that does not exist. */
export function Missing({ text }: { readonly text: string }): VNode {
  const { texts } = useClient();
  return (
    <div class="empty">
      <p>{text}</p>
      <a class="button quiet" href={paths.feed}>
        {texts.notFound.home}
      </a>
    </div>
  );
}
