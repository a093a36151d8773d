import type { VNode } from 'preact';

import type { Frame } from '../../pages/frame/frame.ts';
import { Notice } from '../../pages/views/notice.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { PostForm } from '../../pages/views/field.tsx';
import { UserText } from '@linnet/ui/user-text.tsx';
import { AccountLayout } from './account-layout.tsx';

/** Values of the hidden field `action`, which says which form of the page was sent. */
export const securityActions = {
  /** With the field `passkey_id`. */
  removePasskey: 'remove-passkey',
  removeApp: 'remove-authenticator',
  renewCodes: 'renew-recovery-codes',
} as const;

/** Values of the parameter `done`. */
export const securityDone = [
  'passkey-added',
  'passkey-removed',
  'authenticator-removed',
  'authenticator-there',
] as const;

const doneTexts = {
  'passkey-added': 'passkeyAdded',
  'passkey-removed': 'passkeyRemoved',
  'authenticator-removed': 'appRemoved',
  'authenticator-there': 'appThere',
} as const;

interface ListedPasskey {
  readonly id: number;
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

export interface SecurityPageProps {
  readonly frame: Frame;
  /** Oldest first. */
  readonly passkeys: readonly ListedPasskey[];
  /** Browsers do not support passkeys at the service's address. */
  readonly arePasskeysImpossible?: boolean;
  readonly app?: { readonly createdAt: Date; readonly codesLeft: number } | undefined;
  /** The address has to be confirmed before factors can be added. */
  readonly isUnconfirmed?: boolean;
  readonly done?: (typeof securityDone)[number] | undefined;
}

/** Passkeys, the authenticator app and recovery codes. */
export function SecurityPage(props: SecurityPageProps): VNode {
  const { frame, done, isUnconfirmed = false } = props;
  const { security: texts } = frame.messages.factors;
  return (
    <AccountLayout frame={frame} page="security" title={texts.title}>
      <p class="lead">{texts.intro}</p>
      {done === undefined ? null : <Notice kind="done">{texts[doneTexts[done]]}</Notice>}
      {isUnconfirmed ? (
        <Notice kind="warning">
          {texts.unconfirmed} <a href={pagePaths.email}>{frame.messages.developer.list.confirm}</a>
        </Notice>
      ) : null}
      <PasskeysSection {...props} />
      <AppSection {...props} />
    </AccountLayout>
  );
}

function PasskeysSection(props: SecurityPageProps): VNode {
  const { frame, passkeys, arePasskeysImpossible = false, isUnconfirmed = false } = props;
  const { security: texts } = frame.messages.factors;
  return (
    <section>
      <h2>{texts.passkeys}</h2>
      <p>{texts.passkeysText}</p>
      {passkeys.length === 0 ? null : (
        <ul class="rows">
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} frame={frame} passkey={passkey} />
          ))}
        </ul>
      )}
      {arePasskeysImpossible ? <p class="quiet small">{texts.passkeysImpossible}</p> : null}
      {arePasskeysImpossible || isUnconfirmed ? null : (
        <p>
          <a class="button quiet-button" href={pagePaths.newPasskey} data-testid="add-passkey">
            {texts.addPasskey}
          </a>
        </p>
      )}
    </section>
  );
}

function PasskeyRow({ frame, passkey }: { readonly frame: Frame; readonly passkey: ListedPasskey }): VNode {
  const { messages } = frame;
  const { security: texts } = messages.factors;
  const { id, name, createdAt, lastUsedAt } = passkey;
  const headingId = `passkey-${String(id)}`;
  return (
    <li class="row with-action">
      <div>
        <h3 id={headingId}>
          <UserText text={name} />
        </h3>
        <p class="quiet small">
          <time datetime={createdAt.toISOString()}>{texts.added(messages.formatDay(createdAt))}</time> ·{' '}
          {lastUsedAt === null ? (
            texts.neverUsed
          ) : (
            <time datetime={lastUsedAt.toISOString()}>{texts.lastUsed(messages.formatMinute(lastUsedAt))}</time>
          )}
        </p>
      </div>
      <PostForm frame={frame} hidden={{ action: securityActions.removePasskey, passkey_id: String(id) }}>
        <button class="button quiet-button" data-testid="remove-passkey" aria-describedby={headingId}>
          {texts.remove}
        </button>
      </PostForm>
    </li>
  );
}

function NoAppSection({ frame, isUnconfirmed = false }: Pick<SecurityPageProps, 'frame' | 'isUnconfirmed'>): VNode {
  const { security: texts } = frame.messages.factors;
  return (
    <section>
      <h2>{texts.app}</h2>
      <p>{texts.appText}</p>
      {isUnconfirmed ? null : (
        <p>
          <a class="button quiet-button" href={pagePaths.authenticator} data-testid="add-authenticator">
            {texts.addApp}
          </a>
        </p>
      )}
    </section>
  );
}

function AppSection({ frame, app, isUnconfirmed = false }: SecurityPageProps): VNode {
  const { messages } = frame;
  const { security: texts } = messages.factors;
  if (app === undefined) return <NoAppSection {...{ frame, isUnconfirmed }} />;
  const { createdAt, codesLeft } = app;
  return (
    <>
      <section>
        <h2>
          {texts.app} <span class="tag">{texts.appOn}</span>
        </h2>
        <p>
          <time datetime={createdAt.toISOString()}>{texts.appSince(messages.formatDay(createdAt))}</time>
        </p>
        <PostForm frame={frame} hidden={{ action: securityActions.removeApp }}>
          <button class="button quiet-button" data-testid="remove-authenticator">
            {texts.removeApp}
          </button>
        </PostForm>
      </section>
      <section>
        <h2>{texts.recoveryCodes}</h2>
        <p>{texts.recoveryCodesText}</p>
        {codesLeft < 3 ? (
          <Notice kind="warning">{texts.codesLeft(codesLeft)}</Notice>
        ) : (
          <p>{texts.codesLeft(codesLeft)}</p>
        )}
        <PostForm frame={frame} hidden={{ action: securityActions.renewCodes }}>
          <button class="button quiet-button" data-testid="renew-recovery-codes">
            {texts.renewCodes}
          </button>
        </PostForm>
      </section>
    </>
  );
}
