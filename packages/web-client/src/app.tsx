import { isApiError, SignInRequired } from '@linnet/sdk';
import type { BrowserSession } from '@linnet/sdk';
import type { VNode } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';

import { draft, forgetWritten, writeAs } from './data/draft.ts';
import { createLive } from './data/live.ts';
import type { Live } from './data/live.ts';
import { describeProblem } from './data/problem-text.ts';
import { useToasts } from './data/use-toasts.ts';
import { loadTexts, rememberLanguage } from './i18n/languages.ts';
import type { Language } from './i18n/languages.ts';
import type { Texts } from './i18n/en.ts';
import { KeysHelp, listenToKeys } from './keyboard.tsx';
import { Composer } from './parts/composer.tsx';
import { Toasts } from './parts/toasts.tsx';
import { paths } from './router.ts';
import { findPerson, forgetPerson } from './session/person.ts';
import type { SignedIn } from './session/person.ts';
import { endPush, renewPush } from './session/push.ts';
import { createSession } from './session/session.ts';
import type { Settings } from './settings.ts';
import { CurrentPage } from './views/current-page.tsx';
import { Frame } from './views/frame.tsx';
import { Menu } from './views/menu.tsx';
import { WelcomePage } from './views/welcome-page.tsx';
import type { Notice } from './views/welcome-page.tsx';
import { ActorContext, ClientContext } from './client.ts';
import type { Client, Dialog, ToastAction } from './client.ts';

interface AppProps {
  readonly access: BrowserSession;
  readonly settings: Settings;
  readonly start: Spoken;
  readonly notice: Notice | undefined;
  readonly person: SignedIn | undefined;
  /** They come from the sign-in page. */
  readonly hasSignedIn: boolean;
}

interface Spoken {
  readonly language: Language;
  readonly texts: Texts;
}

export function App(props: AppProps): VNode {
  const { access, settings, start, notice: firstNotice, person: firstPerson, hasSignedIn } = props;
  const [spoken, setSpoken] = useState(start);
  const [person, setPerson] = useState(firstPerson);
  const [notice, setNotice] = useState(firstNotice);
  const speak = (language: Language) => {
    rememberLanguage(language);
    void loadTexts(language).then((texts) => setSpoken({ language, texts }));
  };
  useEffect(() => {
    document.documentElement.lang = spoken.language;
  }, [spoken]);
  const signIn = async () => await access.signIn().catch(() => setNotice('failed'));
  useEffect(() => reloadWhenOtherTabChanges(access), []);
  useEffect(() => {
    // A person who is signed in to the service is signed in here, too.
    if (person === undefined && notice === undefined) void signIn();
  }, []);
  const leave = (reason: Notice) => {
    forgetPerson();
    setNotice(reason);
    setPerson(undefined);
  };
  if (person === undefined) {
    const { serviceName } = settings;
    return <WelcomePage {...{ ...spoken, serviceName, notice, speak, signIn }} />;
  }
  return <SignedInApp {...{ access, settings, person, hasSignedIn, speak, leave, ...spoken }} />;
}

/** Another tab signed out, or signed somebody else in. */
function reloadWhenOtherTabChanges(access: BrowserSession): () => void {
  const shown = findPerson()?.id;
  return access.onChange(() => {
    if (document.visibilityState === 'hidden' && findPerson()?.id !== shown) location.reload();
  });
}

interface SignedInAppProps extends Spoken {
  readonly access: BrowserSession;
  readonly settings: Settings;
  readonly person: SignedIn;
  readonly hasSignedIn: boolean;
  readonly speak: (language: Language) => void;
  /** Called when the account is no longer signed in. */
  readonly leave: (reason: Notice) => void;
}

function SignedInApp(props: SignedInAppProps): VNode {
  const { access, settings, person, hasSignedIn, speak, language, texts } = props;
  const session = useMemo(() => {
    writeAs(person.id);
    return createSession(access.linnet, person);
  }, []);
  const live = useMemo(() => createLive(session), []);
  const [dialog, open] = useState<Dialog | undefined>(() =>
    hasSignedIn && draft.get().text !== '' ? 'compose' : undefined,
  );
  const { toasts, notify, dismiss } = useToasts();
  const tell = (error: unknown, action?: ToastAction) =>
    notify(describeProblem(error, { texts, language, serviceName: settings.serviceName }), action);
  const actions = accessActions(props, live, tell);
  const report = (error: unknown) => {
    if (error instanceof SignInRequired) actions.end('ended');
    else if (!isApiError(error, 'insufficient_scope')) tell(error);
    else tell(error, { label: texts.problems.askAgain, act: actions.signInAgain });
  };
  useEffect(() => listenToKeys({ open }), []);
  useEffect(() => {
    session.linnet.follows.requests({ count: 1 }).then(({ total }) => session.waiting.set(total), report);
    live.start(report);
    return () => live.stop();
  }, [session]);
  useEffect(() => {
    // Without it, notifications are in the list alone.
    renewPush({ linnet: session.linnet, person, texts }).catch(() => undefined);
  }, [session, texts]);
  const client: Client = { settings, texts, language, session, speak, open, notify, report, ...actions };
  return (
    <ClientContext.Provider value={client}>
      <ActorContext.Provider value={client}>
        <Frame>
          <CurrentPage />
        </Frame>
        {dialog === 'compose' && <Composer />}
        {dialog === 'keys' && <KeysHelp />}
        {dialog === 'menu' && <Menu />}
        <Toasts toasts={toasts} dismissLabel={texts.problems.dismiss} dismiss={dismiss} />
      </ActorContext.Provider>
    </ClientContext.Provider>
  );
}

interface AccessActions extends Pick<Client, 'useOther' | 'signOut'> {
  readonly end: (reason: Notice) => void;
  readonly signInAgain: () => void;
}

/** Gaining, changing and ending access. */
function accessActions(
  { access, leave }: SignedInAppProps,
  live: Live,
  report: (error: unknown) => void,
): AccessActions {
  return {
    end: leave,
    signInAgain: () => void access.signIn().catch(report),
    useOther: () =>
      void access.signIn({ parameters: { prompt: 'select_account' }, returnTo: paths.feed }).catch(report),
    // The tokens are removed here even if the service cannot be reached to revoke them.
    signOut: () => {
      // Otherwise it would end first, for want of access.
      live.stop();
      forgetPerson();
      forgetWritten();
      void endPush();
      const postLogoutRedirectUri = new URL('/', location.href).href;
      void access.signOut({ endSession: true, postLogoutRedirectUri }).catch(() => leave('signedOut'));
    },
  };
}
