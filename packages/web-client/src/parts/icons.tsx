import type { VNode } from 'preact';

/** Outlines on a grid of 24. */
const outlines = {
  home: 'M4 11.2 12 4.5l8 6.7V19a1 1 0 0 1-1 1h-4.5v-5.5h-5V20H5a1 1 0 0 1-1-1z',
  explore: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM15.5 8.5l-2 5-5 2 2-5z',
  requests:
    'M9.5 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3 19.5c.4-3.4 3-5.5 6.5-5.5s6.1 2.1 6.5 5.500M18.5 8v6M15.5 11h6',
  profile: 'M12 11.500a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.500c.6-4 3.5-6 7.5-6s6.9 2 7.5 6',
  compose: 'M4 20l1-4.500L16.2 4.300a1.8 1.8 0 0 1 2.5 0l1 1a1.8 1.8 0 0 1 0 2.500L8.5 19zM14 6.5 17.5 10',
  comment:
    'M12 4.500c4.7 0 8.5 3.1 8.5 7s-3.8 7-8.5 7c-1 0-2-.1-2.9-.4L4.5 20l1.2-3.700c-1.4-1.2-2.2-2.9-2.2-4.8 0-3.9 3.8-7 8.5-7z',
  repost:
    'M4 13.500V11a3.5 3.5 0 0 1 3.5-3.500H18M15 4.500l3 3-3 3M20 10.500V13a3.5 3.5 0 0 1-3.5 3.500H6M9 19.500l-3-3 3-3',
  quote: 'M10 7.500C7 8 5 10.500 5 14v2.500h5V12H7.500M19.500 7.500c-3 .5-5 3-5 6.500v2.500h5V12H17',
  like: 'M12 20s-7.8-4.7-7.8-10.200A4.3 4.3 0 0 1 8.5 5.500c1.5 0 2.8.8 3.5 2 .7-1.2 2-2 3.5-2a4.3 4.3 0 0 1 4.3 4.300C19.8 15.3 12 20 12 20z',
  picture:
    'M5 5h14a1.5 1.5 0 0 1 1.5 1.500v11A1.5 1.5 0 0 1 19 19H5a1.5 1.5 0 0 1-1.5-1.500v-11A1.5 1.5 0 0 1 5 5zM4 16l4.5-4.5 4 4 3-3 4.5 4.500M15.5 9.500h.01',
  close: 'M6 6l12 12M18 6 6 18',
  back: 'M20 12H5M11 5.5 4.5 12l6.5 6.5',
  trash: 'M4.5 7h15M9.5 7V4.500h5V7M6.5 7l.8 12.500h9.400L17.5 7M10 10.500v6M14 10.500v6',
  link: 'M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.300l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.700l1-1',
  keys: 'M9.3 9.200a2.8 2.8 0 1 1 4.2 2.700c-.9.5-1.5 1.1-1.5 2.100M12 17.500h.01M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z',
  lock: 'M7 11V8a5 5 0 0 1 10 0v3M5.5 11h13v9h-13z',
  bell: 'M6.5 16.500V11a5.5 5.5 0 0 1 11 0v5.500L19 18H5zM10 20.500h4',
  bookmark: 'M7 4.500h10v15l-5-3.500-5 3.500z',
  more: 'M6 12h.01M12 12h.01M18 12h.01',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.500 20 20',
  plus: 'M12 5v14M5 12h14',
  check: 'M5 12.500l4.5 4.500L19 7.5',
} as const;

export type IconName = keyof typeof outlines;

/** Decoration: the control that contains it has a name in words. */
export function Icon({ name, filled = false }: { readonly name: IconName; readonly filled?: boolean }): VNode {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" data-filled={filled}>
      <path d={outlines[name]} />
    </svg>
  );
}

/** Beside the name of an account that the operator of the service has verified. */
export function VerifiedBadge({ label }: { readonly label: string }): VNode {
  return (
    <svg class="verified" viewBox="0 0 24 24" role="img" aria-label={label}>
      <path
        class="seal"
        d="M12 1.500l2.7 2.2 3.5-.3 1 3.4 2.9 1.9-1.2 3.3 1.2 3.3-2.9 1.9-1 3.4-3.5-.3L12 22.500l-2.7-2.2-3.5.3-1-3.400L1.9 15.3 3.1 12 1.9 8.700l2.9-1.9 1-3.4 3.5.3z"
      />
      <path class="tick" d="M7.8 12.300l2.9 2.9 5.5-5.9" />
    </svg>
  );
}
