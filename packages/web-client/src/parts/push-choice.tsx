import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import { useClient } from '../client.ts';
import { canPush, isPushOn, PushUnavailable, switchPushOff, switchPushOn } from '../session/push.ts';

/** Switches notifications of this browser on and off. */
export function PushChoice(): VNode {
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
