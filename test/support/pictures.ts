import { Buffer } from 'node:buffer';

/** The same rectangle of 7 × 5 pixels in every type, as written by Chromium, in base64. */
export const pictures = {
  png: 'iVBORw0KGgoAAAANSUhEUgAAAAcAAAAFCAYAAACJmvbYAAAAI0lEQVR4AbTJMQ0AAAwCwQZL9VRPVQsKYOOTnw57TzcmVEIBAAD//0NckUEAAAAGSURBVAMAzSkPYiH9PGEAAAAASUVORK5CYII=',
  jpeg: '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAAFAAcDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFAEBAAAAAAAAAAAAAAAAAAAABP/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/AJQChn//2Q==',
  webp: 'UklGRkIAAABXRUJQVlA4WAoAAAAgAAAABgAABAAAVlA4ICQAAACQAQCdASoHAAUABABoJaACdLoAA5gA/uX6O64x2qutlVhSAAA=',
  lossyWebp: 'UklGRjAAAABXRUJQVlA4ICQAAACQAQCdASoHAAUABABoJaACdLoAA5gA/uX6O64x2qutlVhSAAA=',
  losslessWebp: 'UklGRh4AAABXRUJQVlA4TBEAAAAvBgABAAdQs840s/+BiOh/AAA=',
  gif: 'R0lGODlhBwAFAPAAADNmmQAAACwAAAAABwAFAAACBYSPqctdADs=',
} as const;

/** Decodes a picture from base64. */
export function bytesOf(base64: string): Uint8Array {
  return new Uint8Array(Buffer.from(base64, 'base64'));
}

/** A PNG whose header states the given size, which is enough for counting. */
export function pngOf(width: number, height: number): Uint8Array {
  const bytes = Buffer.from(pictures.png, 'base64');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return new Uint8Array(bytes);
}
