/** The parameters of what people write. Drafts have the same. */
import { attachmentsParameter } from './attachment.ts';
import { commentersParameter } from './commenters.ts';
import { flagParameter, idParameter, textParameter } from './parameters.ts';

/** What the author of a post can change later. */
export const postSettingParameters = {
  commenters: commentersParameter().optional(),
  sensitive: flagParameter()
    .meta({ description: 'Whether the media should be hidden until the reader asks for it. 1 and 0 mean the same.' })
    .optional(),
};

export const postParameters = {
  message: textParameter(400).meta({ examples: ['Hello #Linnet'] }),
  media: idParameter('the media to attach: an upload of the account that is not attached yet').optional(),
  attachments: attachmentsParameter().optional(),
  quote_id: idParameter('the post to quote, which the account may see and quote').optional(),
  ...postSettingParameters,
};

/** Without the post that it belongs to. */
export const commentParameters = {
  text: textParameter(1000).meta({ examples: ['Well said'] }),
  parent_id: idParameter('the comment on the same post to reply to').optional(),
};
