import type { VNode } from 'preact';

import type { Frame } from '../../../pages/frame/frame.ts';
import { PostForm } from '../../../pages/views/field.tsx';
import type { LoggedDelivery } from '../../../webhooks/delivery-store.ts';
import { toMessage } from '../../../webhooks/signature.ts';

interface EndpointLogProps {
  readonly frame: Frame;
  readonly endpoint: { readonly id: number; readonly log: readonly LoggedDelivery[] };
}

/** The latest messages to an endpoint, which can be sent now or again. */
export function EndpointLog({ frame, endpoint: { id, log } }: EndpointLogProps): VNode {
  const { webhooks: texts } = frame.messages.developer;
  const hidden = { action: 'replay', endpoint: String(id) };
  return (
    <details open>
      <summary>{texts.log}</summary>
      {log.length === 0 ? (
        <p class="empty">{texts.logEmpty}</p>
      ) : (
        // One form for all rows: each button sends the id of its message.
        <PostForm frame={frame} hidden={hidden}>
          <ul class="rows" data-testid="webhook-log">
            {log.map((delivery) => (
              <LogRow key={delivery.messageId} {...{ frame, delivery }} />
            ))}
          </ul>
        </PostForm>
      )}
      {log.some(({ state, attempts }) => state === 'failed' || (state === 'pending' && attempts > 0)) ? (
        <PostForm frame={frame} hidden={hidden}>
          <button class="button quiet-button" data-testid="replay-all">
            {texts.sendAllNow}
          </button>
        </PostForm>
      ) : null}
    </details>
  );
}

interface LogRowProps {
  readonly frame: Frame;
  readonly delivery: LoggedDelivery;
}

function LogRow({ frame, delivery }: LogRowProps): VNode {
  const { webhooks: texts } = frame.messages.developer;
  const { messageId, kind, state, attempts, durationMs } = delivery;
  return (
    <li class="row">
      <div>
        <h3 id={messageId}>
          <code>{kind}</code>
        </h3>
        <p class="quiet small">
          {factsOf({ frame, delivery }).join(' · ')} · <code>{messageId}</code>
        </p>
        {/* What was never sent may say what the person has hidden since. */}
        {durationMs === null ? null : (
          <details>
            <summary>{texts.payload}</summary>
            <pre>
              <code>{JSON.stringify(toMessage(delivery), null, 2)}</code>
            </pre>
          </details>
        )}
        {state === 'pending' && attempts === 0 ? null : (
          <p>
            <button
              class="button quiet-button"
              name="message"
              value={messageId}
              data-testid="replay"
              aria-describedby={messageId}
            >
              {state === 'pending' ? texts.sendNow : texts.replay}
            </button>
          </p>
        )}
      </div>
    </li>
  );
}

function factsOf({ frame: { messages }, delivery }: LogRowProps): readonly string[] {
  const { webhooks: texts } = messages.developer;
  const { state, attempts, status, durationMs, createdAt, dueAt, isTest } = delivery;
  return [
    messages.formatMinute(createdAt),
    ...(isTest ? [texts.test] : []),
    texts.states[state],
    ...(attempts === 0 ? [] : [texts.attempts(attempts)]),
    ...(attempts === 0 || state === 'dropped' ? [] : [status === null ? texts.noAnswer : texts.status(status)]),
    ...(durationMs === null ? [] : [texts.took(durationMs)]),
    ...(state === 'pending' && attempts > 0 ? [texts.next(messages.formatMinute(dueAt))] : []),
  ];
}
