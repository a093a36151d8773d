import type { VNode } from 'preact';

import { CopyButton, CopyScript, Notice } from '../../pages/views/notice.tsx';
import type { Frame } from '../../pages/frame/frame.ts';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { AccountLayout } from './account-layout.tsx';

export interface RecoveryCodesPageProps {
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
