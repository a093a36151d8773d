import type { VNode } from 'preact';
import { encode } from 'uqr';

import { ErrorSummary, TextField, PostForm } from '../../pages/views/field.tsx';
import type { Frame } from '../../pages/frame/frame.ts';
import { AccountLayout } from './account-layout.tsx';

/** Hidden field: the secret, sealed, until a correct code confirms the app. */
export const enrolmentField = 'enrolment';

export interface AuthenticatorPageProps {
  readonly frame: Frame;
  /** Base32. */
  readonly secret: string;
  /** The `otpauth:` URI of the QR code. */
  readonly uri: string;
  readonly sealed: string;
  readonly error?: string | undefined;
}

/** Adds an authenticator app: it scans the QR code, and its first code confirms it. */
export function AuthenticatorPage({ frame, secret, uri, sealed, error }: AuthenticatorPageProps): VNode {
  const { authenticator: texts } = frame.messages.factors;
  return (
    <AccountLayout frame={frame} page="security" title={texts.title}>
      <ErrorSummary frame={frame} errors={{ code: error }} />
      <ol class="steps">
        <li>
          <p>{texts.scan}</p>
          <QrCode text={uri} label={texts.qrCode} />
          <p class="small">
            {texts.orType} <code data-testid="setup-key">{secret.match(/.{1,4}/g)?.join(' ')}</code>
          </p>
        </li>
        <li>
          <PostForm frame={frame} hidden={{ [enrolmentField]: sealed }}>
            <TextField
              name="code"
              label={texts.code}
              hint={texts.codeHint}
              error={error}
              autocomplete="one-time-code"
            />
            <button class="button" data-testid="confirm-authenticator">
              {texts.submit}
            </button>
          </PostForm>
        </li>
      </ol>
    </AccountLayout>
  );
}

const border = 4;

/** Dark on light in every color scheme: some scanners read nothing else. */
function QrCode({ text, label }: { readonly text: string; readonly label: string }): VNode {
  const { data, size } = encode(text, { ecc: 'M', border });
  const dots = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${String(x)} ${String(y)}h1v1h-1z`] : [])),
  );
  return (
    <svg class="qr-code" viewBox={`0 0 ${String(size)} ${String(size)}`} role="img" aria-label={label}>
      <path fill="#fff" d={`M0 0h${String(size)}v${String(size)}h-${String(size)}z`} />
      <path fill="#000" shape-rendering="crispEdges" d={dots.join('')} />
    </svg>
  );
}
