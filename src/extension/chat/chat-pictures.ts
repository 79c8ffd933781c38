import { Buffer } from 'node:buffer';
import { realpath } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Attachments } from '../../agent/attachments/attachments.ts';
import { readWholeFile, withRealFile } from '../../agent/files/real-file.ts';
import { fileProblem } from '../../agent/tools/support/tool.ts';
import { referenceText } from '../../agent/attachments/parse-references.ts';
import { checkPicture, largestPicture, tooLarge } from '../../agent/attachments/picture.ts';
import type { PictureStore } from '../../agent/attachments/picture-store.ts';
import { type PictureTaker, refusalOf } from '../../agent/attachments/read-picture.ts';
import type { AgentSession } from '../../agent/session/agent-session.ts';
import { imageTypes } from '../../compaction/images/image-header.ts';
import {
  type EmbeddedImage,
  embeddedImage,
  imageHeaderOf,
  imageParts,
} from '../../compaction/images/image-part.ts';
import { messagesOf } from '../../compaction/transcript/transcript.ts';
import { SentenceError } from '../../language/sentence.ts';
import { pictureAt } from '../../presenters/chat/picture-views.ts';
import { hostText } from '../editor/editor-wording.ts';

/** Services that pictures in the chat need. */
export interface ChatPicturesPorts {
  readonly store: PictureStore;
  readonly model: () => PictureTaker;
  readonly attachmentsOf: (session: AgentSession) => Promise<Attachments>;
}

/** Pictures attached to a new message, and pictures in sent messages. */
export class ChatPictures {
  private readonly ports: ChatPicturesPorts;

  constructor(ports: ChatPicturesPorts) {
    this.ports = ports;
  }

  /**
   * Stores a picture from base64 data, which is empty if the picture exceeds the limit.
   *
   * @returns a reference to the picture
   * @throws {SentenceError} if the picture cannot be sent
   */
  async add(name: string, data: string, size: number): Promise<string> {
    this.throwIfRefused(name);
    if (data === '') throw new SentenceError(tooLarge(name, size));
    return this.keep(name, Buffer.from(data, 'base64'));
  }

  /**
   * Lets the user choose pictures.
   *
   * @returns references, separated by spaces
   * @throws {SentenceError} if a picture cannot be sent
   */
  async pick(): Promise<string> {
    this.throwIfRefused(hostText('pictures'));
    const extensions = ['jpg', ...imageTypes.map((type) => type.slice('image/'.length))];
    const chosen = await vscode.window.showOpenDialog({
      canSelectMany: true,
      title: hostText('attachPictures'),
      openLabel: hostText('attach'),
      filters: { [hostText('pictures')]: extensions },
    });
    const references: string[] = [];
    for (const uri of chosen ?? []) references.push(await this.referenceTo(uri));
    return references.join(' ');
  }

  /** @returns a `data:` URL; null if the picture cannot be shown */
  async urlOf(session: AgentSession, key: string): Promise<string | null> {
    const image = await this.find(session, key);
    return image === undefined ? null : `data:${image.type};base64,${image.base64}`;
  }

  async open(session: AgentSession, key: string): Promise<void> {
    const image = await this.find(session, key);
    if (image === undefined) return;
    const type = imageTypes.find((each) => each === image.type);
    if (type === undefined) return;
    const { store } = this.ports;
    const name = await store.keep(Buffer.from(image.base64, 'base64'), type);
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(store.pathOf(name, type)));
  }

  /** Stores the pictures of a message, so that an edited version of the message can refer to them. */
  async keepThoseOf(session: AgentSession, messageId: string): Promise<void> {
    const message = messagesOf(session.transcript).find(({ id }) => id === messageId);
    for (const part of imageParts(message?.content ?? null)) {
      const [header, image] = [imageHeaderOf(part), embeddedImage(part)];
      if (header !== undefined && image !== undefined)
        await this.ports.store.keep(Buffer.from(image.base64, 'base64'), header.type);
    }
  }

  /** @throws {SentenceError} if a picture in the text cannot be sent */
  async check(session: AgentSession, text: string): Promise<void> {
    if (!/[#@]/u.test(text)) return;
    const attachments = await this.ports.attachmentsOf(session);
    const problem = await attachments.pictureProblem(text, new AbortController().signal);
    if (problem === undefined) return;
    throw typeof problem === 'string' ? new Error(problem) : new SentenceError(problem);
  }

  private async referenceTo(uri: vscode.Uri): Promise<string> {
    if (vscode.workspace.isTrusted && vscode.workspace.getWorkspaceFolder(uri) !== undefined)
      return referenceText(vscode.workspace.asRelativePath(uri));
    const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
    if (uri.scheme !== 'file') return this.keep(name, await vscode.workspace.fs.readFile(uri));
    return this.keep(name, await bytesOf(uri.fsPath, name));
  }

  private async keep(name: string, bytes: Uint8Array): Promise<string> {
    const checked = checkPicture(bytes, name);
    if ('problem' in checked) throw new SentenceError(checked.problem);
    return `#${await this.ports.store.keep(bytes, checked.type)}`;
  }

  private throwIfRefused(name: string): void {
    const refusal = refusalOf(this.ports.model(), name);
    if (refusal !== undefined) throw new SentenceError(refusal);
  }

  /** @param key key of a picture in a message, or the reference to a stored picture */
  private async find(session: AgentSession, key: string): Promise<EmbeddedImage | undefined> {
    if (!/^[#@]/u.test(key)) return pictureAt(messagesOf(session.transcript), key);
    const attachments = await this.ports.attachmentsOf(session);
    return attachments.picture(key, new AbortController().signal);
  }
}

/** @throws {SentenceError} if the path is not a file, or the file is too large */
async function bytesOf(path: string, name: string): Promise<Uint8Array> {
  try {
    return await withRealFile(await realpath(path), async (file) => {
      const bytes = await readWholeFile(file, largestPicture);
      if (bytes === undefined) throw new SentenceError(tooLarge(name, file.size));
      return bytes;
    });
  } catch (error) {
    if (error instanceof SentenceError) throw error;
    const { summary, content } = fileProblem(error, name);
    throw summary === undefined ? new Error(content) : new SentenceError(summary);
  }
}
