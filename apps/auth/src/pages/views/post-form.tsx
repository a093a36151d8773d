import type { ComponentChildren, VNode } from 'preact';

import type { Frame } from './frame.ts';

interface PostFormProps {
  readonly frame: Frame;
  /** Defaults to the page's own URL. */
  readonly action?: string | undefined;
  /** Hidden fields: which of the page's forms this is, and what it is about. */
  readonly hidden?: Readonly<Record<string, string>>;
  readonly class?: string;
  readonly testId?: string;
  /** Has a file field. */
  readonly hasFile?: boolean;
  readonly children: ComponentChildren;
}

/** A form that changes something. `noValidate`, because the server's messages are in the reader's language. */
export function PostForm(props: PostFormProps): VNode {
  const { frame, action, hidden = {}, class: className, testId, hasFile = false, children } = props;
  return (
    <form
      method="post"
      enctype={hasFile ? 'multipart/form-data' : undefined}
      action={action}
      class={className}
      data-testid={testId}
      novalidate
    >
      <input type="hidden" name="csrf" value={frame.csrfToken()} />
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  );
}
