import type { ComponentChildren, VNode } from 'preact';

interface PageLinkProps {
  readonly href: string;
  readonly label: ComponentChildren;
  /** A short fact beside the label, such as a count. */
  readonly tag?: ComponentChildren;
  readonly text: string;
  /** Below the text. */
  readonly children?: ComponentChildren;
}

/** A row of a list of pages. */
export function PageLink({ href, label, tag, text, children }: PageLinkProps): VNode {
  return (
    <li class="row">
      <h2>
        <a href={href}>{label}</a> {tag === undefined ? null : <span class="tag">{tag}</span>}
      </h2>
      <p class="quiet small">{text}</p>
      {children}
    </li>
  );
}
