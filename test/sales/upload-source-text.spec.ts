import { foreignTills, sourceText } from '../../src/sales/files/upload-source-text.js';

test('What a file is called is written without what nobody sees, which the service refuses', () => {
  expect(sourceText(['\u200eH1\u202e\u00ad.txt', 'a\tb', 'می\u200cخواهم'], ['K\u200bA'])).toBe(
    'till KA: H1.txt, a b, می\u200cخواهم',
  );
  expect(foreignTills('till KA: H1.txt', ['K\u200bA', 'B'])).toEqual([]);
  expect(foreignTills('till K\u200bA: H1.txt', ['KA', 'B'])).toEqual([]);
  expect(foreignTills('till KC: H1.txt', ['K\u200bA', 'B'])).toEqual(['KC']);
});
