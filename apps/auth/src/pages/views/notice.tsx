import type { ComponentChildren, VNode } from 'preact';

import type { Frame } from '../frame/frame.ts';

interface NoticeProps {
  /** `problem` is announced and receives focus, so that Tab continues at the field to correct. */
  readonly kind: 'done' | 'warning' | 'problem';
  readonly children: ComponentChildren;
}

const roles = { done: 'status', warning: 'note', problem: 'alert' } as const;

/** Screen readers often skip alerts that are present at page load, but never the focused element. */
const withFocus = { tabIndex: -1, autofocus: true } as const;

export function Notice({ kind, children }: NoticeProps): VNode {
  return (
    <div class={`notice ${kind}`} role={roles[kind]} {...(kind === 'problem' ? withFocus : {})}>
      {children}
    </div>
  );
}

interface CopyableProps {
  readonly frame: Frame;
  readonly testId?: string;
  readonly children: ComponentChildren;
}

/** An id or a secret. A click selects all of it; with the script, a button copies it. */
export function Copyable({ frame, testId, children }: CopyableProps): VNode {
  return (
    <span class="with-copy">
      <code class="copyable" data-testid={testId} data-copy>
        {children}
      </code>
      <CopyButton frame={frame} />
    </span>
  );
}

/** Lines to paste. */
export function CopyableBlock({ frame, testId, children }: CopyableProps): VNode {
  return (
    <pre>
      <CopyButton frame={frame} />
      <code data-copy data-testid={testId}>
        {children}
      </code>
    </pre>
  );
}

/** Copies the text of the element with `data-copy` beside it. Without the script, it is not shown. */
export function CopyButton({ frame }: { readonly frame: Frame }): VNode {
  const { copying } = frame.messages;
  return (
    <button
      type="button"
      class="button quiet-button copy-button"
      aria-live="polite"
      data-copied={copying.copied}
      hidden
    >
      {copying.copy}
    </button>
  );
}

/** What the script puts into each block of code of a text with `data-copy-blocks`. */
export function CopyTemplate({ frame }: { readonly frame: Frame }): VNode {
  return (
    <template data-copy-button>
      <CopyButton frame={frame} />
    </template>
  );
}

/** The script of the buttons, once per page. `renderPage` needs `copyScript` too. */
export function CopyScript({ frame }: { readonly frame: Frame }): VNode {
  return <script type="module" src={copyScript(frame)} />;
}

export function copyScript({ assets }: Frame): string | undefined {
  return assets.scripts['copy.js'];
}
