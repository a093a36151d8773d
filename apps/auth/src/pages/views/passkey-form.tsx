import type { ComponentChildren, VNode } from 'preact';

import type { Frame } from '../frame/frame.ts';
import { PostForm } from './field.tsx';

/** The hidden field for the browser's WebAuthn response. */
export const passkeyField = 'passkey';

interface PasskeyFormProps {
  readonly frame: Frame;
  /** The `navigator.credentials` function to call. */
  readonly act: 'create' | 'get';
  /** The WebAuthn options, as JSON. */
  readonly question: string;
  /** Offers passkeys in a field with `autocomplete="webauthn"` without a button press. */
  readonly isOffered?: boolean;
  readonly hidden?: Readonly<Record<string, string>>;
  readonly class?: string;
  readonly label: string;
  readonly testId: string;
  /** Further fields. */
  readonly children?: ComponentChildren;
}

/** A form that is submitted with a passkey. The only form that needs JavaScript; without it, it says so. */
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
