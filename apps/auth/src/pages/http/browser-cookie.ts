import type { Context } from 'koa';

/** A cookie of ours on every path of the one origin, out of reach of scripts. */
export interface BrowserCookie {
  /** With the `__Host-` prefix where the origin is https (checklist UI2). */
  readonly name: string;
  read(ctx: Context): string | undefined;
  write(ctx: Context, value: string): void;
}

interface BrowserCookieOptions {
  /** Scheme and flags follow it, whatever a proxy says of the connection. */
  readonly baseUrl: string;
  readonly name: string;
  /** Until the browser is closed when left out. */
  readonly maxAgeSeconds?: number;
}

export function createBrowserCookie({ baseUrl, name, maxAgeSeconds }: BrowserCookieOptions): BrowserCookie {
  const secure = baseUrl.startsWith('https:');
  const fullName = secure ? `__Host-${name}` : name;
  const age = maxAgeSeconds === undefined ? {} : { maxAge: maxAgeSeconds * 1000 };
  return {
    name: fullName,
    read: (ctx) => ctx.cookies.get(fullName, { signed: false }),
    write: (ctx, value) => {
      // TLS may end at a proxy: without this a Secure cookie would be refused on the inner connection.
      ctx.cookies.secure = secure;
      ctx.cookies.set(fullName, value, {
        ...age,
        secure,
        path: '/',
        httpOnly: true,
        sameSite: 'lax',
        signed: false,
        overwrite: true,
      });
    },
  };
}
