import { isApiError, SignInRequired } from '@linnet/sdk';
import type { Application } from '@linnet/sdk';
import type { VNode } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';

import { createLive } from './data/live.ts';
import type { Live } from './data/live.ts';
import { describeProblem } from './data/problem-text.ts';
import { useToasts } from './data/use-toasts.ts';
import { loadTexts, rememberLanguage } from './i18n/languages.ts';
import type { Language } from './i18n/languages.ts';
import type { Texts } from './i18n/en.ts';
import { listenToKeys } from './keyboard.ts';
import { Composer } from './parts/composer.tsx';
import { Toasts } from './parts/toasts.tsx';
import { navigate, paths } from './router.ts';
import { choosePerson, findCurrent, forgetPerson, storeOf } from './session/people.ts';
import type { SignedIn } from './session/people.ts';
import { createSession } from './session/session.ts';
import type { SignIn } from './session/sign-in.ts';
import type { Settings } from './settings.ts';
import { CurrentPage } from './views/current-page.tsx';
import { Frame } from './views/frame.tsx';
import { KeysHelp } from './views/keys-help.tsx';
import { Menu } from './views/menu.tsx';
import { WelcomePage } from './views/welcome-page.tsx';
import type { Notice } from './views/welcome-page.tsx';
import { WarblerContext } from './warbler.ts';
import type { Dialog, ToastAction, Warbler } from './warbler.ts';

interface AppProps {
  readonly application: Application;
  readonly signIn: SignIn;
  readonly settings: Settings;
  readonly start: Spoken;
  readonly notice: Notice | undefined;
}

interface Spoken {
  readonly language: Language;
  readonly texts: Texts;
}

export function App({ application, signIn, settings, start, notice: firstNotice }: AppProps): VNode {
  const [spoken, setSpoken] = useState(start);
  const [person, setPerson] = useState(findCurrent);
  const [notice, setNotice] = useState(firstNotice);
  const speak = (language: Language) => {
    rememberLanguage(language);
    void loadTexts(language).then((texts) => setSpoken({ language, texts }));
  };
  useEffect(() => {
    document.documentElement.lang = spoken.language;
  }, [spoken]);
  const leave = (reason: Notice) => {
    setNotice(reason);
    setPerson(findCurrent());
  };
  if (person === undefined) {
    const leaveToSignIn = async () => await signIn.leave().catch(() => setNotice('failed'));
    return (
      <WelcomePage
        {...spoken}
        serviceName={settings.serviceName}
        notice={notice}
        speak={speak}
        signIn={leaveToSignIn}
      />
    );
  }
  const shared = { application, signIn, settings, person, speak, leave, switchTo: setPerson };
  return <SignedInApp key={person.id} {...shared} {...spoken} />;
}

interface SignedInAppProps extends Spoken {
  readonly application: Application;
  readonly signIn: SignIn;
  readonly settings: Settings;
  readonly person: SignedIn;
  readonly speak: (language: Language) => void;
  /** Called when the account is no longer signed in. */
  readonly leave: (reason: Notice) => void;
  readonly switchTo: (person: SignedIn | undefined) => void;
}

function SignedInApp(props: SignedInAppProps): VNode {
  const { application, settings, person, speak, language, texts } = props;
  const session = useMemo(() => createSession(application, person), []);
  const live = useMemo(() => createLive(session), []);
  const [dialog, open] = useState<Dialog>();
  const { toasts, notify, dismiss } = useToasts();
  const tell = (error: unknown, action?: ToastAction) =>
    notify(describeProblem(error, { texts, language, serviceName: settings.serviceName }), action);
  const access = accessActions(props, live, tell);
  const report = (error: unknown) => {
    if (error instanceof SignInRequired) access.end('ended');
    else if (!isApiError(error, 'insufficient_scope')) tell(error);
    else tell(error, { label: texts.problems.askAgain, act: access.askForConsent });
  };
  useEffect(() => listenToKeys({ open }), []);
  useEffect(() => {
    session.linnet.follows.requests({ count: 1 }).then(({ total }) => session.waiting.set(total), report);
    live.start(report);
    return () => live.stop();
  }, [session]);
  const warbler: Warbler = { settings, texts, language, session, speak, open, notify, report, ...access };
  return (
    <WarblerContext.Provider value={warbler}>
      <Frame>
        <CurrentPage />
      </Frame>
      {dialog === 'compose' && <Composer />}
      {dialog === 'keys' && <KeysHelp />}
      {dialog === 'menu' && <Menu />}
      <Toasts toasts={toasts} dismissLabel={texts.problems.dismiss} dismiss={dismiss} />
    </WarblerContext.Provider>
  );
}

interface AccessActions extends Pick<Warbler, 'addAccount' | 'switchTo' | 'signOut'> {
  readonly end: (reason: Notice) => void;
  readonly askForConsent: () => void;
}

/** Gaining, changing and ending access to accounts. */
function accessActions(props: SignedInAppProps, live: Live, report: (error: unknown) => void): AccessActions {
  const { application, signIn, leave, switchTo, person } = props;
  const end = (reason: Notice) => {
    forgetPerson(person.id);
    leave(reason);
  };
  return {
    end,
    askForConsent: () => void signIn.leave({ parameters: { prompt: 'consent' } }).catch(report),
    addAccount: () =>
      void signIn.leave({ parameters: { prompt: 'select_account' }, returnTo: paths.feed }).catch(report),
    switchTo: (id) => {
      choosePerson(id);
      switchTo(findCurrent());
      navigate(paths.feed);
    },
    // The tokens are removed here even if the service cannot be reached to revoke them.
    signOut: () => {
      // Otherwise it would end first, for want of access.
      live.stop();
      void application
        .signOut(storeOf(person.id))
        .catch(() => undefined)
        .finally(() => end('signedOut'));
    },
  };
}
