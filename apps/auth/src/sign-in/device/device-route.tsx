import type { AuthEvents } from '../../audit/events.ts';
import type { AreaPage, Visit } from '../visit/area.ts';
import type { Web } from '../visit/web.ts';
import { findDone, redirectTo, renderPage } from '../../pages/frame/render.tsx';
import type { Form } from '../../pages/form/form.ts';
import type { Throttle } from '../../pages/throttle/throttle.ts';
import type { Devices, PendingDevice } from '../../protocol/device/device.ts';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { readDecision } from '../consent/consent-form.ts';
import { isConsentRemembered } from '../../protocol/grant/consent-grant.ts';
import { decisionField, toShownEarlier } from '../consent/consent-page.tsx';
import { UnverifiedPage } from '../consent/unverified-page.tsx';
import { DeviceConsentPage, DeviceDonePage, UserCodePage, deviceDone, userCodeField } from './device-page.tsx';

interface DeviceRouteOptions {
  readonly devices: Devices;
  readonly throttle: Throttle;
  readonly events: AuthEvents;
  readonly mustVerifyEmail: (accountId: number) => Promise<boolean>;
  readonly findApplicationFacts: Web['findApplicationFacts'];
}

const maxCodeLength = 64;
const statuses = { unknown: 422, throttled: 429 } as const;

/** `/oauth/device`: a person who is signed in enters the code of a device, then authorizes or denies it. */
export function deviceRoute({ devices, throttle, events, ...options }: DeviceRouteOptions): AreaPage {
  async function decide(visit: Visit, form: Form, device: PendingDevice): Promise<void> {
    const { ctx, session } = visit;
    const event = { ...visit.event, clientId: device.application.clientId };
    const decision = readDecision(form, device);
    if (decision.kind === 'ask-again') return await showConsent(visit, device, options.findApplicationFacts);
    if (decision.kind === 'allow') {
      if (await options.mustVerifyEmail(session.accountId)) return showUnverified(visit, device);
      if (!(await devices.authorize(device, session, decision))) return reject(visit, form, 'unknown');
      events.consentGiven({ ...event, scope: decision.scopes.join(' ') });
      return redirectTo(ctx, pagePaths.device, 'allowed');
    }
    if (!(await devices.deny(device))) return reject(visit, form, 'unknown');
    events.consentRefused(event);
    return redirectTo(ctx, pagePaths.device, 'denied');
  }

  return {
    path: pagePaths.device,
    // A code in the URL only fills the field: the person must submit it themselves (RFC 8628 §5.4).
    show: async ({ ctx, frame }) => {
      const { [userCodeField]: code } = ctx.query;
      const userCode = typeof code === 'string' ? code.slice(0, maxCodeLength) : '';
      const done = findDone(ctx, deviceDone);
      renderPage(
        ctx,
        done === undefined ? (
          <UserCodePage frame={frame} userCode={userCode} />
        ) : (
          <DeviceDonePage frame={frame} done={done} />
        ),
      );
    },
    form: {
      stepUp: 'none',
      act: async (visit, form) => {
        const { ctx, session } = visit;
        const waitSeconds = await throttle.countUserCode(ctx, session.accountId);
        if (waitSeconds !== undefined) {
          ctx.set('Retry-After', String(waitSeconds));
          return reject(visit, form, 'throttled');
        }
        const device = await devices.find(form.text(userCodeField).slice(0, maxCodeLength), session.accountId);
        if (device === undefined) return reject(visit, form, 'unknown');
        await throttle.knewUserCode(ctx, session.accountId);
        if (form.has(decisionField)) return await decide(visit, form, device);
        if (await options.mustVerifyEmail(session.accountId)) return showUnverified(visit, device);
        return await showConsent(visit, device, options.findApplicationFacts);
      },
    },
  };
}

async function showConsent(
  { ctx, frame, viewer }: Visit,
  { userCode, application, scopes, earlier, isAgent }: PendingDevice,
  findApplicationFacts: Web['findApplicationFacts'],
): Promise<void> {
  const facts = await findApplicationFacts(application.clientId);
  if (facts === undefined) {
    renderPage(ctx, <UserCodePage frame={frame} userCode={userCode} problem="unknown" />, { status: statuses.unknown });
    return;
  }
  renderPage(
    ctx,
    <DeviceConsentPage
      frame={frame}
      userCode={userCode}
      application={{ ...application, ownerUsername: application.owner, facts }}
      username={viewer.username}
      scopes={scopes}
      earlier={toShownEarlier(earlier, isConsentRemembered(application.type, undefined))}
      isAgent={isAgent}
    />,
  );
}

function showUnverified({ ctx, frame }: Visit, { userCode, application }: PendingDevice): void {
  const returnTo = `${pagePaths.device}?${new URLSearchParams({ [userCodeField]: userCode }).toString()}`;
  const page = (
    <UnverifiedPage
      frame={frame}
      application={application}
      returnTo={returnTo}
      hidden={{ [userCodeField]: userCode }}
    />
  );
  renderPage(ctx, page, { status: 403 });
}

function reject({ ctx, frame }: Visit, form: Form, problem: keyof typeof statuses): void {
  const userCode = form.text(userCodeField).slice(0, maxCodeLength);
  renderPage(ctx, <UserCodePage frame={frame} userCode={userCode} problem={problem} />, { status: statuses[problem] });
}
