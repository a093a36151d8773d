import { z } from 'zod';

export const hashtagSchema = z
  .object({
    text: z.string().meta({ description: 'Without the # sign, in lower case.', examples: ['linnet'] }),
    accounts: z
      .int()
      .min(0)
      .meta({
        description: 'Number of accounts that used it in the last 48 hours. 0 if it is not trending.',
        examples: [12],
      }),
    posts: z
      .int()
      .min(0)
      .meta({ description: 'Number of their posts with it. 0 if it is not trending.', examples: [17] }),
  })
  .meta({ id: 'Hashtag', description: 'A hashtag and how much it is used.' });
