/** How a confidential application authenticates, and the forms that change it. */
import type { VNode } from 'preact';

import { PostForm, TextArea, findTyped } from '../../../pages/views/field.tsx';
import type { Frame } from '../../../pages/frame/frame.ts';
import { applicationActions } from '../application/application-form.ts';

/** The field for a URL or a JWK Set. */
export const keysField = 'keys';

/** Rejected keys, as typed. */
export interface TypedKeys {
  readonly keys: string;
  readonly error: string | undefined;
}

interface KeysFormProps {
  readonly frame: Frame;
  readonly newKeys: TypedKeys | undefined;
  /** Whether it has keys, which these replace. */
  readonly hasKeys: boolean;
}

/** Folded, because it is seldom needed. */
export function KeysForm({ frame, newKeys, hasKeys }: KeysFormProps): VNode {
  const { authentication: texts } = frame.messages.developer;
  const hidden = { action: applicationActions.setKeys };
  return (
    <details open={newKeys !== undefined || findTyped(frame, hidden) !== undefined}>
      <summary>{hasKeys ? texts.otherKeysTitle : texts.keysTitle}</summary>
      <PostForm frame={frame} hidden={hidden} class="panel">
        <p>{hasKeys ? texts.otherKeysText : texts.keysText}</p>
        <TextArea
          name={keysField}
          label={texts.keys}
          hint={texts.keysHint}
          value={newKeys?.keys}
          error={newKeys?.error}
          rows={4}
        />
        <button class="button quiet-button" data-testid="set-keys">
          {texts.setKeys}
        </button>
      </PostForm>
    </details>
  );
}

export function SecretForm({ frame }: { readonly frame: Frame }): VNode {
  const { authentication: texts } = frame.messages.developer;
  return (
    <details>
      <summary>{texts.secretTitle}</summary>
      <PostForm frame={frame} hidden={{ action: applicationActions.setSecret }} class="panel">
        <p>{texts.secretText}</p>
        <button class="button quiet-button" data-testid="set-secret">
          {texts.setSecret}
        </button>
      </PostForm>
    </details>
  );
}
