import type { ComponentChildren, VNode } from 'preact';

import type { Frame } from './frame.ts';
import { PostForm } from './post-form.tsx';

/** The hidden field that the script puts the browser's answer into. */
export const passkeyField = 'passkey';

interface PasskeyFormProps {
  readonly frame: Frame;
  /** Whether a passkey is made or shown; the names of the browser's functions. */
  readonly act: 'create' | 'get';
  /** What the browser is asked, as JSON. */
  readonly question: string;
  /** Lets the browser offer passkeys in a field with `autocomplete="webauthn"`, before anybody presses the button. */
  readonly isOffered?: boolean;
  readonly hidden?: Readonly<Record<string, string>>;
  readonly class?: string;
  readonly label: string;
  readonly testId: string;
  /** Fields. */
  readonly children?: ComponentChildren;
}

/** A form that a passkey fills in: the one thing here that needs a script, which says so where there is none. */
export function PasskeyForm(props: PasskeyFormProps): VNode {
  const { frame, act, question, isOffered = false, hidden, class: className, label, testId, children } = props;
  const { passkeys: texts } = frame.messages.factors;
  return (
    <PostForm
      frame={frame}
      hidden={{ ...hidden, [passkeyField]: '' }}
      {...(className === undefined ? {} : { class: className })}
    >
      {children}
      <div data-passkey={act} data-question={question} data-offer={isOffered ? 'yes' : 'no'} hidden>
        <button class={act === 'get' ? 'button quiet-button wide' : 'button'} data-testid={testId}>
          {label}
        </button>
      </div>
      <p class="error" aria-live="polite" data-passkey-failed hidden>
        {texts.failed}
      </p>
      <p class="quiet small" data-passkey-impossible hidden>
        {texts.impossible}
      </p>
      <noscript>
        <p class="quiet small">{texts.needScript}</p>
      </noscript>
      <script type="module" src={frame.assets.scripts['passkeys.js']} />
    </PostForm>
  );
}
