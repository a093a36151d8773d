import type { VNode } from 'preact';

import type { Frame } from '../../pages/frame/frame.ts';

interface NextLinkProps {
  readonly frame: Frame;
  /** Its address; undefined if there is none. */
  readonly next: string | undefined;
}

/** The link to the next page of a list. */
export function NextLink({ frame, next }: NextLinkProps): VNode | null {
  if (next === undefined) return null;
  return (
    <p>
      <a class="button quiet-button" href={next} rel="next">
        {frame.messages.admin.search.next}
      </a>
    </p>
  );
}
