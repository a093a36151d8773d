import { decodeJwt } from 'jose';
import type { ComponentChildren, VNode } from 'preact';

import type { FieldErrors, Frame } from '../../pages/frame/frame.ts';
import { PostForm, TextArea } from '../../pages/views/field.tsx';
import { playgroundActions } from './call-form.tsx';
import { Code } from './exchange-section.tsx';
import { inertJson } from './format-request.ts';
import type { RunContent } from './run.ts';

interface TokenSectionProps {
  readonly frame: Frame;
  readonly tokens: NonNullable<RunContent['tokens']>;
  readonly content: Pick<RunContent, 'authentication'>;
  readonly errors: FieldErrors<'refresh_assertion' | 'revoke_assertion'>;
  readonly hidden: Readonly<Record<string, string>>;
}

/** The tokens of the run, with forms to refresh and revoke them. */
export function TokenSection(props: TokenSectionProps): VNode {
  const { frame, tokens } = props;
  const texts = frame.messages.developer.playground;
  return (
    <section data-testid="playground-tokens">
      <h2>{texts.tokensTitle}</h2>
      <p>
        {texts.scopes} <code>{tokens.scope}</code>
      </p>
      <Claims frame={frame} summary={texts.claims} token={tokens.access} />
      <Code frame={frame} summary={texts.accessToken} code={tokens.access} />
      {tokens.refresh === undefined ? null : <Code frame={frame} summary={texts.refreshToken} code={tokens.refresh} />}
      {tokens.id === undefined ? null : <Claims frame={frame} summary={texts.idToken} token={tokens.id} />}
      {tokens.refresh === undefined ? null : (
        <Step {...props} action={playgroundActions.refresh} text={texts.refreshText} label={texts.refresh} />
      )}
      <Step {...props} action={playgroundActions.revoke} text={texts.revokeText} label={texts.revoke} />
    </section>
  );
}

interface ClaimsProps {
  readonly frame: Frame;
  readonly summary: string;
  readonly token: string;
}

function Claims({ frame, summary, token }: ClaimsProps): VNode {
  return <Code frame={frame} summary={summary} code={claimsOf(token)} />;
}

function claimsOf(token: string): string {
  try {
    return inertJson(decodeJwt(token), 2);
  } catch {
    return token; // no JWT
  }
}

interface StepProps extends TokenSectionProps {
  readonly action: 'refresh' | 'revoke';
  readonly text: ComponentChildren;
  readonly label: string;
}

function Step({ frame, content, errors, hidden, action, text, label }: StepProps): VNode {
  const texts = frame.messages.developer.playground;
  return (
    <PostForm frame={frame} hidden={{ ...hidden, action }} class="with-action">
      <div>
        <p>{text}</p>
        {content.authentication === 'keys' ? (
          <TextArea
            name={`${action}_assertion`}
            label={texts.assertion}
            error={errors[`${action}_assertion`]}
            rows={2}
          />
        ) : null}
      </div>
      <button class="button quiet-button" data-testid={`playground-${action}`}>
        {label}
      </button>
    </PostForm>
  );
}
