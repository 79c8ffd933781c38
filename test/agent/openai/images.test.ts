import { describe, expect, it } from 'vitest';
import { imageNotTaken } from '../../../src/agent/model/chat-model.ts';
import { imagePart } from '../../../src/compaction/images/image-part.ts';
import type { ChatMessage } from '../../../src/compaction/messages/message.ts';
import { pictures } from '../../support/pictures.ts';
import { failureOf, modelAt, replyOf } from './ask-model.ts';
import { server, useServer } from './server-for-each-test.ts';

useServer();

const text = { type: 'text', text: 'What is it?' };
const message: ChatMessage = {
  role: 'user',
  content: [text, imagePart({ type: 'image/png', base64: pictures.png })],
};
const url = `data:image/png;base64,${pictures.png}`;
const asked = { messages: [message], tools: [] };

describe('an image in a request', () => {
  it('is a part of a chat completion request', async () => {
    server.reply({ text: 'Blue.' });
    await replyOf(modelAt(server), asked);
    expect(server.requests[0]?.body).toMatchObject({
      messages: [{ role: 'user', content: [text, { type: 'image_url', image_url: { url } }] }],
    });
  });

  it('is an input of the Responses API', async () => {
    server.reply({ text: 'Blue.' });
    await replyOf(modelAt(server, { api: 'responses' }), asked);
    expect(server.requests[0]?.body).toMatchObject({
      input: [
        {
          type: 'message',
          role: 'user',
          content: [
            { type: 'input_text', text: 'What is it?' },
            { type: 'input_image', image_url: url, detail: 'auto' },
          ],
        },
      ],
    });
  });

  it.each(['chat', 'responses'] as const)(
    'is replaced by a note for a model without image input: %s',
    async (api) => {
      server.reply({ text: 'I cannot see it.' });
      await replyOf(modelAt(server, { api, takesImages: false }), asked);
      const sent = JSON.stringify(server.requests[0]?.body);
      expect(sent).toContain(imageNotTaken);
      expect(sent).not.toContain('base64');
    },
  );
});

describe('a refusal of images', () => {
  it.each([
    [400, 'Invalid content type. image_url is only supported by certain models.'],
    [404, 'No endpoints found that support image input'],
    [400, 'Failed to deserialize: unknown variant `image_url`, expected `text`'],
    [400, 'this-model is not a multimodal model'],
    [400, 'This model does not support images.'],
    [422, 'Image inputs are not supported by this model'],
  ])('states the remedy: %i, %s', async (status, words) => {
    server.reply({ status, body: { error: { message: words } } });
    const { message: problem } = await failureOf(modelAt(server), asked);
    expect(problem).toContain('scripted does not accept pictures. Choose a model');
    expect(problem).toContain(words);
  });

  it.each([
    'The image is larger than 5 MB.',
    'Could not process image',
    'stream_option is not supported; see our guide on image input',
  ])('is not recognised in a refusal for another reason: %s', async (words) => {
    server.reply({ status: 400, body: { error: { message: words } } });
    const { message: problem } = await failureOf(modelAt(server), asked);
    expect(problem).not.toContain('does not accept pictures');
  });
});
