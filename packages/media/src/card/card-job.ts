/** What a card shows. All texts are plain; those that do not fit are cut. */
export interface CardContent {
  /** Of the service. */
  readonly serviceName: string;
  /** The logo of the service, as SVG. */
  readonly logo: string;
  /** Absent on the general card. */
  readonly person?: CardPerson;
}

interface CardPerson {
  readonly name: string;
  readonly username: string;
  /** The description of the person, or the text of the post. */
  readonly text: string;
  /** The text of a post is larger, and the person smaller. */
  readonly isPost: boolean;
  /** A generated avatar. Without one the picture is the file `CardJob.picture`. */
  readonly avatarSvg?: string | undefined;
}

/** A message to the card process. */
export interface CardJob {
  readonly content: CardContent;
  /** Path of the thumbnail of the person's photo. */
  readonly picture?: string | undefined;
  /** Path of the PNG to write. */
  readonly output: string;
}

/** The response of the card process. */
export type CardResult = { readonly isDrawn: true } | { readonly problem: string };

/** Of every card, in pixels; what Open Graph readers show in full width. */
export const cardSize = { width: 1200, height: 630 } as const;
