import type { Account, ReportsCreateParameters } from '@linnet/sdk';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import { currentPath, navigate, paths } from '../router.ts';
import { useClient } from '../client.ts';
import type { ToastAction } from '../client.ts';
import { Choices } from './choices.tsx';
import { toEnd } from './end-choice.tsx';
import type { Ending } from './end-choice.tsx';
import { Icon } from './icons.tsx';
import { Modal } from './modal.tsx';
import { ReportForm } from './report-form.tsx';

interface PersonMenuProps {
  readonly account: Account;
  /** What a report is about. */
  readonly subject: Pick<ReportsCreateParameters, 'item_id' | 'type'>;
}

/** A button that opens what can be done about somebody else: mute, block, report. */
export function PersonMenu({ account, subject }: PersonMenuProps): VNode {
  const { texts } = useClient();
  const [shown, show] = useState<'actions' | 'report'>();
  const label = texts.safety.more(account.username);
  const close = () => show(undefined);
  const name = `@${account.username}`;
  const title = shown === 'report' ? `${texts.safety.report}: ${name}` : name;
  return (
    <>
      <button
        type="button"
        class="action more-actions"
        aria-label={label}
        title={label}
        onClick={() => show('actions')}
      >
        <Icon name="more" />
      </button>
      {shown !== undefined && (
        <Modal title={title} closeLabel={texts.menu.close} kind="menu" onClose={close}>
          {shown === 'actions' ? (
            <Actions account={account} report={() => show('report')} close={close} />
          ) : (
            <ReportForm subject={subject} close={close} />
          )}
        </Modal>
      )}
    </>
  );
}

interface ActionsProps {
  readonly account: Account;
  readonly report: () => void;
  readonly close: () => void;
}

function Actions({ account, report: openReport, close }: ActionsProps): VNode {
  const { texts, session, notify, report } = useClient();
  const { safety } = texts;
  const { id, username } = account;
  const { linnet } = session;
  /** Does it, says so, and offers the opposite. */
  const run = (act: () => Promise<unknown>, done: string, undo?: ToastAction) => () => {
    close();
    act().then(() => notify(done, undo), report);
  };
  const unmute = run(async () => await linnet.mutes.delete({ id }), safety.unmuted(username));
  const unblock = run(async () => await linnet.blocks.delete({ id }), safety.unblocked(username));
  const mute = (ending: Ending) =>
    run(
      async () => {
        await linnet.mutes.add({ id, ...toEnd(ending) });
        session.hidePerson(id);
      },
      safety.muted(username),
      { label: safety.unmute, act: unmute },
    );
  const block = run(
    async () => {
      await linnet.blocks.add({ id });
      session.hidePerson(id);
      if (currentPath.get() !== paths.feed) navigate(paths.feed);
    },
    safety.blocked(username),
    { label: safety.unblock, act: unblock },
  );
  const isMuted = account.viewer?.muted === 1;
  const rows: readonly (readonly [label: string, act: () => void])[] = [
    ...(isMuted ? ([[safety.unmute, unmute]] as const) : []),
    [safety.muteDay, mute('day')],
    [safety.muteWeek, mute('week')],
    [safety.mute, mute('never')],
    [safety.block, block],
    [safety.report, openReport],
  ];
  return <Choices rows={rows} />;
}
