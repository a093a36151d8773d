import type { Context } from 'koa';

/** A cookie for the whole origin (`Path=/`, `HttpOnly`, `SameSite=Lax`). */
export interface BrowserCookie {
  /** With the `__Host-` prefix where the origin is https (checklist UI2). */
  readonly name: string;
  read(ctx: Context): string | undefined;
  write(ctx: Context, value: string): void;
}

interface BrowserCookieOptions {
  /** Its scheme decides the prefix and `Secure`, not the connection from the proxy. */
  readonly baseUrl: string;
  readonly name: string;
  /** Omitted: a session cookie. */
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
      // TLS may end at a proxy. Without this, Koa refuses to set a Secure cookie on the inner connection.
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
