import type { ReportsCreateParameters } from '@linnet/sdk';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import { useWritten } from '../data/draft.ts';
import { useClient } from '../client.ts';

const reasons = [
  'spam',
  'harassment',
  'hate',
  'violence',
  'sexual',
  'impersonation',
  'self_harm',
  'illegal',
  'other',
] as const;

type Reason = (typeof reasons)[number];

interface ReportFormProps {
  readonly subject: Pick<ReportsCreateParameters, 'item_id' | 'type'>;
  readonly close: () => void;
}

/** Tells the operators of the service what breaks the rules. */
export function ReportForm({ subject, close }: ReportFormProps): VNode {
  const { texts, session, notify, report } = useClient();
  const { safety } = texts;
  const [reason, setReason] = useState<Reason>('spam');
  const [text, setText] = useWritten(`report ${subject.type} ${String(subject.item_id)}`);
  const leave = () => {
    setText('');
    close();
  };
  const send = () => {
    close();
    const written = text.trim() === '' ? {} : { text };
    session.linnet.reports.create({ ...subject, reason, ...written }).then(() => {
      setText('');
      notify(safety.reported);
    }, report);
  };
  return (
    <form
      class="report"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <ReasonPicker reason={reason} choose={setReason} />
      <label>
        {safety.reportText}
        <textarea
          rows={3}
          maxLength={1000}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <p class="modal-actions">
        <button type="button" class="quiet" onClick={leave}>
          {texts.post.cancel}
        </button>
        <button type="submit" class="primary">
          {safety.send}
        </button>
      </p>
    </form>
  );
}

interface ReasonPickerProps {
  readonly reason: Reason;
  readonly choose: (reason: Reason) => void;
}

function ReasonPicker({ reason, choose }: ReasonPickerProps): VNode {
  const { safety } = useClient().texts;
  return (
    <label>
      {safety.reason}
      <select value={reason} onChange={({ currentTarget }) => choose(reasons[currentTarget.selectedIndex] ?? 'other')}>
        {reasons.map((one) => (
          <option key={one} value={one}>
            {safety.reasons[one]}
          </option>
        ))}
      </select>
    </label>
  );
}
