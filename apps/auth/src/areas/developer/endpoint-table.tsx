import type { EndpointSum } from '@linnet/applications/usage/endpoint-usage-store';
import type { VNode } from 'preact';

import type { Frame } from '../../pages/frame/frame.ts';
import { pagePaths } from '../../pages/views/page-paths.ts';

interface EndpointTableProps {
  readonly frame: Frame;
  readonly clientId: string;
  /** Most requests first. */
  readonly endpoints: readonly EndpointSum[];
}

const classes = ['succeeded', 'rejected', 'failed'] as const;

/** API requests of an application by endpoint and class of the status. */
export function EndpointTable({ frame, clientId, endpoints }: EndpointTableProps): VNode {
  const { formatNumber } = frame.messages;
  const { endpoints: texts } = frame.messages.developer.usage;
  return (
    <section id="endpoints">
      <h2>{texts.title}</h2>
      <p>{texts.intro}</p>
      {endpoints.length === 0 ? (
        <p class="empty">{texts.none}</p>
      ) : (
        <>
          <table class="numbers small" data-testid="endpoints">
            <thead>
              <tr>
                <th scope="col">{texts.endpoint}</th>
                {classes.map((one) => (
                  <th key={one} scope="col">
                    {texts[one]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {endpoints.map((sum) => (
                <tr key={sum.endpoint}>
                  <th scope="row">
                    <code>{sum.endpoint}</code>
                  </th>
                  {classes.map((one) => (
                    <td key={one}>{formatNumber(sum[one])}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
          <p>
            <a class="button quiet-button" href={pagePaths.applicationUsageFile(clientId)} download>
              {texts.download}
            </a>
          </p>
        </>
      )}
    </section>
  );
}
