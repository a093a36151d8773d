import type { RichText } from '../rich-text.ts';

/** Texts of the landing page and of the home page. */
export const front = {
  landing: {
    title: 'Short posts, with an API for everything',
    lead: (service: string) =>
      `Share short posts and follow people on ${service}. Apps can do anything you can do here, once you allow it.`,
    build: {
      title: 'Build with the API',
      text: 'OAuth 2.0, OpenID Connect and a JSON API. Paste these lines into a terminal:',
      metadata: 'Find the authorization server',
      document: 'Download the OpenAPI document',
      call: 'Call the API without a token, to see an error',
      next: 'Create an application to get a client ID, then try every step in its playground.',
      exampleClient: 'Try Warbler, an example client',
    },
  },
  home: {
    title: (name: RichText): RichText => ['Welcome, ', name],
    yours: 'Your account',
    profileTitle: 'Your public profile',
    texts: {
      profile: 'What other people see.',
      client: 'Read your feed and write posts.',
      account: 'Your name and picture, your e-mail address and your data.',
      connected: 'See what apps can do as you, and revoke their access.',
      followers: 'Protect your posts, and approve follow requests.',
      notifications: 'Choose what you are notified about.',
      security: 'Passkeys and two-step verification.',
      developers: 'Register an application, and try the API in the playground.',
      guides: 'How to build an application, with examples in three languages.',
      reference: 'Every endpoint, with its parameters and responses.',
      admin: 'Find people and applications, suspend and restore them, and search the audit log.',
    },
  },
};
