import type { ComponentChildren, VNode } from 'preact';

import type { Frame } from './frame.ts';

interface PostFormProps {
  readonly frame: Frame;
  /** The address of the page itself when left out. */
  readonly action?: string | undefined;
  /** Fields nobody sees: which of the page's forms it is, and of what. */
  readonly hidden?: Readonly<Record<string, string>>;
  readonly class?: string;
  readonly testId?: string;
  /** It holds a file. */
  readonly hasFile?: boolean;
  readonly children: ComponentChildren;
}

/** A form that changes something. The server checks it and answers in the reader's language, so the browser does not. */
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
      <input type="hidden" name="csrf" value={frame.csrf} />
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  );
}
