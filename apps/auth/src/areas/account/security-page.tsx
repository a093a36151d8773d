import { UserText } from '@linnet/ui/user-text.tsx';
import type { LinkedIdentity } from '@linnet/accounts/identity-store';
import type { VNode } from 'preact';

import type { Frame } from '../../pages/frame/frame.ts';
import { PostForm } from '../../pages/views/field.tsx';
import { CopyButton, CopyScript, Notice } from '../../pages/views/notice.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { providerField } from '../../sign-in/upstream/upstream-page.tsx';
import type { ProviderChoice } from '../../sign-in/upstream/upstream-page.tsx';
import { AccountLayout } from './account-layout.tsx';

/** Values of the hidden field `action`, which says which form of the page was sent. */
export const securityActions = {
  /** With the field `passkey_id`. */
  removePasskey: 'remove-passkey',
  /** With the field `provider`. */
  linkProvider: 'link-provider',
  /** With the field `identity_id`. */
  removeProvider: 'remove-provider',
  removeApp: 'remove-authenticator',
  renewCodes: 'renew-recovery-codes',
} as const;

/** Values of the parameter `done`. */
export const securityDone = [
  'passkey-added',
  'passkey-removed',
  'authenticator-removed',
  'authenticator-there',
  'provider-linked',
  'provider-removed',
  'provider-needed',
] as const;

const doneTexts = {
  'passkey-added': 'passkeyAdded',
  'passkey-removed': 'passkeyRemoved',
  'authenticator-removed': 'appRemoved',
  'authenticator-there': 'appThere',
  'provider-linked': 'providerLinked',
  'provider-removed': 'providerRemoved',
  'provider-needed': 'providerNeeded',
} as const;

interface ListedPasskey {
  readonly id: number;
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

interface SecurityPageProps {
  readonly frame: Frame;
  /** Oldest first. */
  readonly passkeys: readonly ListedPasskey[];
  readonly identities?: readonly LinkedIdentity[];
  /** Providers that are not linked. */
  readonly linkable?: readonly ProviderChoice[];
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
      {done === undefined ? null : (
        <Notice kind={done === 'provider-needed' ? 'warning' : 'done'}>{texts[doneTexts[done]]}</Notice>
      )}
      {isUnconfirmed ? (
        <Notice kind="warning">
          {texts.unconfirmed} <a href={pagePaths.email}>{frame.messages.developer.list.confirm}</a>
        </Notice>
      ) : null}
      <PasskeysSection {...props} />
      <AppSection {...props} />
      <ProvidersSection {...props} />
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
            <WayInRow key={passkey.id} frame={frame} way={passkey} kind="passkey" />
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

/** Providers with which the person signs in, and others that can be linked. */
function ProvidersSection(props: SecurityPageProps): VNode | null {
  const { frame, identities = [], linkable = [], isUnconfirmed = false } = props;
  const { security: texts } = frame.messages.factors;
  if (identities.length === 0 && linkable.length === 0) return null;
  return (
    <section>
      <h2>{texts.providers}</h2>
      <p>{texts.providersText}</p>
      {identities.length === 0 ? null : (
        <ul class="rows">
          {identities.map((identity) => (
            <WayInRow key={identity.id} frame={frame} way={identity} kind="identity" />
          ))}
        </ul>
      )}
      {isUnconfirmed || linkable.length === 0 ? null : (
        <PostForm frame={frame} hidden={{ action: securityActions.linkProvider }} class="actions">
          {linkable.map(({ id, name }) => (
            <button key={id} class="button quiet-button" name={providerField} value={id} data-testid={`link-${id}`}>
              {texts.linkProvider(<UserText text={name} />)}
            </button>
          ))}
        </PostForm>
      )}
    </section>
  );
}

interface WayInRowProps {
  readonly frame: Frame;
  readonly way: ListedPasskey;
  readonly kind: 'passkey' | 'identity';
}

function WayInRow({ frame, way, kind }: WayInRowProps): VNode {
  const { messages } = frame;
  const { security: texts } = messages.factors;
  const { id, name, createdAt, lastUsedAt } = way;
  const headingId = `${kind}-${String(id)}`;
  const action = kind === 'passkey' ? securityActions.removePasskey : securityActions.removeProvider;
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
      <PostForm frame={frame} hidden={{ action, [`${kind}_id`]: String(id) }}>
        <button class="button quiet-button" data-testid={`remove-${kind}`} aria-describedby={headingId}>
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

interface RecoveryCodesPageProps {
  readonly frame: Frame;
  /** Shown only once. */
  readonly codes: readonly string[];
  /** The authenticator app was added just now; otherwise the codes replace earlier ones. */
  readonly isAppNew: boolean;
}

export function RecoveryCodesPage({ frame, codes, isAppNew }: RecoveryCodesPageProps): VNode {
  const { security: texts } = frame.messages.factors;
  return (
    <AccountLayout frame={frame} page="security" title={texts.newCodesTitle}>
      <Notice kind="done">{isAppNew ? texts.appAdded : texts.codesRenewed}</Notice>
      <Notice kind="warning">{texts.codesOnce}</Notice>
      <div class="with-copy block">
        <ul class="recovery-codes panel" data-testid="recovery-codes" data-copy>
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <CopyButton frame={frame} />
      </div>
      <p class="actions">
        <a class="button quiet-button" href={`data:text/plain,${codes.join('%0A')}`} download="recovery-codes.txt">
          {frame.messages.copying.download}
        </a>
        <a class="button" href={pagePaths.security}>
          {texts.codesKept}
        </a>
      </p>
      <CopyScript frame={frame} />
    </AccountLayout>
  );
}
