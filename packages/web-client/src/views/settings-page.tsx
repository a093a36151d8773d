import type { ShownAccount } from '@linnet/sdk';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { LanguagePicker } from '../parts/language-picker.tsx';
import { findAppearance, keepAppearance, textSizes, themes } from '../session/appearance.ts';
import type { Appearance } from '../session/appearance.ts';
import { canPush, isPushOn, PushUnavailable, switchPushOff, switchPushOn } from '../session/push.ts';
import { paths } from '../router.ts';
import { useClient } from '../client.ts';
import { PageHead } from './page-head.tsx';

/** What the person can change: the client in this browser, what they see, and their account. */
export function SettingsPage(): VNode {
  const { texts, language, speak } = useClient();
  const { settings } = texts;
  return (
    <>
      <PageHead title={texts.menu.manage} hasBack />
      <div class="settings">
        <section>
          <h2>{settings.appearance}</h2>
          <AppearanceChoice />
        </section>
        <section>
          <h2>{texts.menu.language}</h2>
          <LanguagePicker label={texts.menu.language} language={language} speak={speak} />
        </section>
        <section>
          <h2>{texts.notifications.title}</h2>
          <PushChoice />
        </section>
        <section>
          <h2>{texts.profile.posts}</h2>
          <QuotersChoice />
        </section>
        <section>
          <h2>{settings.content}</h2>
          <ul class="choices">
            {(['hashtags', 'filters', 'muted', 'blocked'] as const).map((page) => (
              <li key={page}>
                <a href={paths[page]}>{texts[page].title}</a>
              </li>
            ))}
          </ul>
        </section>
        <section>
          <h2>{texts.menu.title}</h2>
          <ul class="choices">
            {accountPages.map((page) => (
              <li key={page}>
                <a href={`/account/${page}`}>{settings.account[page]}</a>
              </li>
            ))}
          </ul>
        </section>
      </div>
    </>
  );
}

/** Pages of the service itself. */
const accountPages = [
  'profile',
  'email',
  'password',
  'security',
  'sessions',
  'applications',
  'notifications',
  'export',
  'delete',
] as const;

function AppearanceChoice(): VNode {
  const { settings } = useClient().texts;
  const [chosen, choose] = useState(findAppearance());
  const change = (changes: Partial<Appearance>) => {
    const appearance = { ...chosen, ...changes };
    keepAppearance(appearance);
    choose(appearance);
  };
  return (
    <>
      <Segments
        name="theme"
        title={settings.theme}
        values={themes}
        labels={settings.themes}
        chosen={chosen.theme}
        choose={(theme) => change({ theme })}
      />
      <Segments
        name="text"
        title={settings.text}
        values={textSizes}
        labels={settings.texts}
        chosen={chosen.text}
        choose={(text) => change({ text })}
      />
    </>
  );
}

/** Who may quote posts of the person. */
function QuotersChoice(): VNode | null {
  const { texts, session, report } = useClient();
  const [chosen, choose] = useState<ShownAccount['quoters']>();
  useEffect(() => {
    session.linnet.users.show().then(({ quoters }) => choose(quoters), report);
  }, [session]);
  if (chosen === undefined) return null;
  const change = (quoters: typeof chosen) => {
    choose(quoters);
    session.linnet.account.update({ quoters }).catch((error: unknown) => {
      choose(chosen);
      report(error);
    });
  };
  return (
    <Segments
      name="quoters"
      title={texts.quotes.who}
      values={['everyone', 'followers', 'nobody']}
      labels={texts.quotes.kinds}
      chosen={chosen}
      choose={change}
    />
  );
}

interface SegmentsProps<Value extends string> {
  readonly name: string;
  readonly title: string;
  readonly values: readonly Value[];
  readonly labels: Readonly<Record<Value, string>>;
  readonly chosen: Value;
  readonly choose: (value: Value) => void;
}

function Segments<Value extends string>({ name, title, values, labels, chosen, choose }: SegmentsProps<Value>): VNode {
  return (
    <fieldset class="segments">
      <legend>{title}</legend>
      {values.map((value) => (
        <label key={value}>
          <input type="radio" name={name} checked={value === chosen} onChange={() => choose(value)} />
          {labels[value]}
        </label>
      ))}
    </fieldset>
  );
}

/** Switches notifications of this browser on and off. */
function PushChoice(): VNode {
  const { texts, session, settings, notify, report } = useClient();
  const { push } = texts;
  const { linnet, person } = session;
  const [isOn, setOn] = useState(isPushOn(person));
  const [isBusy, setBusy] = useState(false);
  if (!canPush()) return <p>{push.impossible(settings.serviceName)}</p>;
  const change = async () => {
    if (isOn) await switchPushOff({ linnet });
    setOn(!isOn && (await switchPushOn({ linnet, person, texts })));
  };
  const isDenied = Notification.permission === 'denied';
  return (
    <>
      <p>{isDenied ? push.denied : push.hint}</p>
      <button
        type="button"
        class={isOn ? 'quiet' : 'primary'}
        disabled={isBusy || isDenied}
        onClick={() => {
          setBusy(true);
          void change()
            .catch((error: unknown) => (error instanceof PushUnavailable ? notify(push.failed) : report(error)))
            .finally(() => setBusy(false));
        }}
      >
        {isOn ? push.off : push.on}
      </button>
    </>
  );
}
