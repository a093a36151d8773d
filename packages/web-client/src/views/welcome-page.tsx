import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import { LanguagePicker } from '../parts/language-picker.tsx';
import type { Language } from '../i18n/languages.ts';
import type { Texts } from '../i18n/en.ts';

export type Notice = 'ended' | 'declined' | 'failed' | 'signedOut';

interface WelcomePageProps {
  readonly texts: Texts;
  readonly language: Language;
  readonly serviceName: string;
  /** Undefined: the browser is leaving for the sign-in page. */
  readonly notice: Notice | undefined;
  readonly speak: (language: Language) => void;
  /** Leaves for the sign-in page. */
  readonly signIn: () => Promise<void>;
}

/** For people who are not signed in. */
export function WelcomePage({ texts, language, serviceName, notice, speak, signIn }: WelcomePageProps): VNode {
  const [isLeaving, setLeaving] = useState(false);
  const { welcome } = texts;
  const leave = () => {
    setLeaving(true);
    void signIn().finally(() => setLeaving(false));
  };
  if (notice === undefined) {
    return (
      <main id="main" class="leaving" aria-live="polite">
        <h1>{welcome.leaving}</h1>
      </main>
    );
  }
  return (
    <div class="welcome">
      <main id="main" tabIndex={-1}>
        <p class="welcome-brand">
          <img src="/home/icon.svg" alt="" width={40} height={40} /> {serviceName}
        </p>
        <div class="welcome-hero">
          <div>
            <h1>{welcome.title}</h1>
            <p class="lead">{welcome.lead(serviceName)}</p>
            <div role="alert">
              <p class="notice">{welcome[notice]}</p>
            </div>
            <button type="button" class="primary big" disabled={isLeaving} onClick={leave}>
              {welcome.signIn}
            </button>
          </div>
          <img class="welcome-picture" src="/home/branch.svg" alt="" width={420} height={420} />
        </div>
      </main>
      <footer class="welcome-foot">
        <LanguagePicker label={texts.menu.language} language={language} speak={speak} />
      </footer>
    </div>
  );
}
