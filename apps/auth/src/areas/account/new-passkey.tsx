import type { VNode } from 'preact';
import { encode } from 'uqr';

import type { Frame } from '../../pages/frame/frame.ts';
import { redirectTo, renderPage } from '../../pages/frame/render.tsx';
import { findBrowser } from '../../pages/throttle/known-browser.ts';
import { ErrorSummary, PostForm, TextField } from '../../pages/views/field.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { PasskeyForm, passkeyField } from '../../pages/views/passkey-form.tsx';
import type { Passkeys } from '../../sign-in/factors/passkeys.ts';
import type { AreaPage, Visit } from '../../sign-in/visit/area.ts';
import type { Web } from '../../sign-in/visit/web.ts';
import { AccountLayout } from './account-layout.tsx';

const maxNameLength = 60;

interface NewPasskeyOptions {
  readonly passkeys: Passkeys;
  /** An account with an unconfirmed address cannot add factors: someone else may own the address. */
  readonly mustVerifyEmail: Web['mustVerifyEmail'];
}

/** `/account/security/new-passkey`: registers a passkey that the browser creates. */
export function newPasskeyRoute({ passkeys, mustVerifyEmail }: NewPasskeyOptions): AreaPage {
  async function render(
    { ctx, frame, viewer, session }: Visit,
    { status = 200, ...state }: Omit<NewPasskeyPageProps, 'frame' | 'passkeyOptions'> & { readonly status?: number },
  ): Promise<void> {
    const passkeyOptions = await passkeys.createRegistrationOptions(
      { ...viewer, accountId: session.accountId },
      frame.csrfToken(),
    );
    const script = frame.assets.scripts['passkeys.js'];
    renderPage(ctx, <NewPasskeyPage {...state} {...{ frame, passkeyOptions }} />, { status, script });
  }

  return {
    path: pagePaths.newPasskey,
    needsRecentSignIn: true,
    show: async (visit) => {
      if (!passkeys.isPossible || (await mustVerifyEmail(visit.session.accountId))) {
        redirectTo(visit.ctx, pagePaths.security);
      } else {
        await render(visit, { name: proposeName(visit) });
      }
    },
    form: {
      stepUp: 'recent',
      act: async (visit, form) => {
        const { ctx, frame, session } = visit;
        const { newPasskey: texts } = frame.messages.factors;
        if (await mustVerifyEmail(session.accountId)) {
          redirectTo(ctx, pagePaths.security);
          return;
        }
        const name = form.text('name').replaceAll(/\s+/g, ' ').trim();
        if (name === '' || [...name].length > maxNameLength || /\p{Cc}/u.test(name)) {
          await render(visit, { name, nameError: texts.nameWrong, status: 422 });
          return;
        }
        const { accountId } = session;
        const answer = form.text(passkeyField);
        if (await passkeys.add(visit.sessionDb, { accountId, browser: frame.csrfToken(), answer, name })) {
          redirectTo(ctx, pagePaths.security, 'passkey-added');
        } else {
          await render(visit, { name, isRefused: true, status: 422 });
        }
      },
    },
  };
}

/** People recognize a passkey by the browser they created it in. */
function proposeName({ ctx, frame }: Visit): string {
  const found = findBrowser(ctx.get('user-agent'));
  if (found === undefined) return frame.messages.factors.newPasskey.nameProposal;
  const { browser, system } = found;
  return system === undefined ? browser : frame.messages.account.sessions.browserOn(browser, system);
}

interface NewPasskeyPageProps {
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

/** Hidden field: the secret, sealed, until a correct code confirms the app. */
export const enrolmentField = 'enrolment';

interface AuthenticatorPageProps {
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
