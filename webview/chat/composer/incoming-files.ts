import { type ChatRequest, longestPicture } from '../../../src/protocol/chat.ts';

type Post = (request: ChatRequest) => void;

/** Types of dragged data that contain addresses of files, VS Code's own type first. */
const addressTypes = ['application/vnd.code.uri-list', 'text/uri-list'] as const;

/** Attaches files dropped on an element. VS Code passes them to a page only while Shift is held. */
export function takeDrops(target: HTMLElement, post: Post): void {
  const carriesFiles = ({ dataTransfer }: DragEvent) =>
    dataTransfer !== null && [...addressTypes, 'Files'].some((type) => dataTransfer.types.includes(type));
  target.addEventListener('dragover', (event) => {
    if (!carriesFiles(event) || event.dataTransfer === null) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
    target.classList.add('is-drop-target');
  });
  target.addEventListener('dragleave', () => target.classList.remove('is-drop-target'));
  target.addEventListener('drop', (event) => {
    target.classList.remove('is-drop-target');
    if (!carriesFiles(event) || event.dataTransfer === null) return;
    event.preventDefault();
    const { dataTransfer } = event;
    const list = addressTypes.map((type) => dataTransfer.getData(type)).find((text) => text !== '') ?? '';
    // Lines that begin with a number sign are comments (RFC 2483).
    const addresses = list.split(/\r?\n/).filter((address) => address !== '' && !address.startsWith('#'));
    const files = [...dataTransfer.files];
    const pictures = files.filter(isPicture);
    void addPictures(pictures, post);
    // A picture whose data was read needs no address.
    const isTaken = (name: string) => pictures.some((picture) => picture.name === name);
    const others = addresses.filter((address) => !isTaken(nameIn(address)));
    const names =
      addresses.length > 0 ? [] : files.filter((file) => !isPicture(file)).map(({ name }) => name);
    if (pictures.length > 0 && others.length === 0 && names.length === 0) return;
    post({ type: 'drop-files', addresses: others.slice(0, 50), names: names.slice(0, 50) });
  });
}

/** Attaches pictures pasted into a field, unless the clipboard also contains text. */
export function takePastes(target: HTMLElement, post: Post): void {
  target.addEventListener('paste', (event) => {
    const { clipboardData } = event;
    if (clipboardData?.getData('text/plain') !== '') return;
    const pictures = [...clipboardData.files].filter(isPicture);
    if (pictures.length === 0) return;
    event.preventDefault();
    void addPictures(pictures, post);
  });
}

/** True for all types of pictures, because the host reports unsupported types. */
function isPicture({ type }: File): boolean {
  return type.startsWith('image/');
}

async function addPictures(files: readonly File[], post: Post): Promise<void> {
  for (const file of files) {
    const { name, size } = file;
    post({ type: 'add-picture', name: name.slice(0, 200), data: await base64Of(file), size });
  }
}

/** @returns an empty string for a file that is too large to send */
async function base64Of(file: File): Promise<string> {
  if (file.size * (4 / 3) > longestPicture - 4) return '';
  const url = await new Promise<string>((resolve) => {
    const reader = new FileReader();
    reader.addEventListener('loadend', () => resolve(typeof reader.result === 'string' ? reader.result : ''));
    reader.readAsDataURL(file);
  });
  return url.slice(url.indexOf(',') + 1);
}

function nameIn(address: string): string {
  const name = address.slice(address.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
