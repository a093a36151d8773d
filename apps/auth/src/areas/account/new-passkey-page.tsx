import type { VNode } from 'preact';

import { ErrorSummary, TextField } from '../../pages/views/field.tsx';
import type { Frame } from '../../pages/frame/frame.ts';
import { PasskeyForm } from '../../pages/views/passkey-form.tsx';
import { AccountLayout } from './account-layout.tsx';

export interface NewPasskeyPageProps {
  readonly frame: Frame;
  /** Options for `navigator.credentials.create`, as JSON. */
  readonly passkeyOptions: string;
  readonly name: string;
  readonly nameError?: string | undefined;
  readonly isRefused?: boolean;
}

export function NewPasskeyPage(props: NewPasskeyPageProps): VNode {
  const { frame, passkeyOptions, name, nameError, isRefused = false } = props;
  const { newPasskey: texts } = frame.messages.factors;
  return (
    <AccountLayout frame={frame} page="security" title={texts.title}>
      <p class="lead">{texts.intro}</p>
      <ErrorSummary frame={frame} errors={{ name: nameError }} problem={isRefused ? texts.refused : undefined} />
      <PasskeyForm
        frame={frame}
        act="create"
        question={passkeyOptions}
        class="panel"
        label={texts.submit}
        testId="create-passkey"
      >
        <TextField
          name="name"
          label={texts.name}
          hint={texts.nameHint}
          value={name}
          error={nameError}
          autocomplete="off"
        />
      </PasskeyForm>
    </AccountLayout>
  );
}
