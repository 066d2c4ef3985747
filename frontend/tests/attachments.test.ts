import { expect, test } from 'vitest';
import { read } from '../src/lib/attachments';

test('an image goes with a message to a model that sees, to no other one', async () => {
  const png = new File([new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10, 0])], 'photo.png', { type: 'image/png' });
  expect(await read(png, false)).toBe('blind');
  expect(await read(png, true)).toMatchObject({ name: 'photo.png', into: 'message', base64: 'iVBORw0KGgoA' });
  expect(await read(new File([], 'photo.png', { type: 'image/png' }), true)).toBe('empty');
});
