import { toPage } from '../../src/database/page.js';

test.each([
  [[], { items: [], next: null }],
  [[{ id: 1 }], { items: [{ id: 1 }], next: null }],
  [[{ id: 1 }, { id: 2 }], { items: [{ id: 1 }, { id: 2 }], next: null }],
  [[{ id: 1 }, { id: 2 }, { id: 3 }], { items: [{ id: 1 }, { id: 2 }], next: 2 }],
])('Of %j a page of two is %j', (rows, page) => {
  expect(toPage(rows, 2, ({ id }) => id)).toEqual(page);
});
