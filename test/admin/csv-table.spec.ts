import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCsv } from '../../src/admin/csv-table.js';

describe('A CSV file of a command', () => {
  const folder = mkdtempSync(join(tmpdir(), 'csv-'));
  const file = join(folder, 'some.csv');
  afterAll(() => rmSync(folder, { recursive: true }));

  const read = (content: string | Buffer) => {
    writeFileSync(file, content);
    return readCsv(file, ['id', 'name'], ['hours']);
  };

  test.each([
    ['commas', 'id,name,hours\n1,"Mum, Dad","18:00-24:00,00:00-02:00"\n2, Bar ,\n'],
    [
      'semicolons, a byte order mark, CRLF',
      '\uFEFFid;name;hours\r\n1;Mum, Dad;18:00-24:00,00:00-02:00\r\n2;Bar\r\n',
    ],
    ['tabs, other order', 'name\thours\tid\nMum, Dad\t18:00-24:00,00:00-02:00\t1\nBar\t\t2'],
    [
      'rows of separators, cells without a column',
      'id,name,hours,,\n1,"Mum, Dad","18:00-24:00,00:00-02:00",,\n2,Bar,,,\n,,,,\n',
    ],
  ])('is read with %s', async (_, content) => {
    const { rows } = await read(content);
    expect(rows).toEqual([
      { line: 2, cells: { id: '1', name: 'Mum, Dad', hours: '18:00-24:00,00:00-02:00' } },
      { line: 3, cells: { id: '2', name: 'Bar', hours: '' } },
    ]);
  });

  test('numbers its lines as an editor does, with empty lines and line breaks in cells', async () => {
    const { rows } = await read('\nid,name\n1,"one\r\nmore"\n\n2,two\n');
    expect(rows.map(({ line, cells }) => [line, cells.name])).toEqual([
      [3, 'one\r\nmore'],
      [6, 'two'],
    ]);
  });

  test.each<[string | Buffer, RegExp]>([
    ['', /the first line must name the columns id, name and may name hours, each once; it is ""$/],
    ['id,nam\n', /it is "id, nam"$/],
    ['id,name,id\n', /it is "id, name, id"$/],
    ['id,name\n1,a\n2,"b\n', /some\.csv, line 3: .*[Qq]uote/],
    [
      Buffer.from('id,name\n1,Caf\xe9\n', 'latin1'),
      /some\.csv is not UTF-8: save it as "CSV UTF-8"/,
    ],
  ])('is rejected: %j', (content, reason) => expect(read(content)).rejects.toThrow(reason));

  test('with a row of too many cells has a fault like any other', async () => {
    const table = await read('id,name\n1,a,b\nx,y\n');
    table.addFault(table.rows[1]!, 'id', 'not a number');
    expect(() => table.assertNoFaults()).toThrow(
      'line 2: it has 3 cells, but there are 2 columns\nline 3, id: not a number',
    );
  });

  test('that cannot be read is named', async () => {
    await expect(readCsv(join(folder, 'none'), ['id'])).rejects.toThrow(
      /none cannot be read: ENOENT$/,
    );
  });

  test('lists its faults with line and column: ten, then the lines of all others', async () => {
    const table = await read(`id,name\n${'x,y\n'.repeat(12)}`);
    for (const row of table.rows) table.addFault(row, 'id', 'not a number');
    const listed = Array.from({ length: 10 }, (_, at) => `line ${at + 2}, id: not a number`);
    expect(() => table.assertNoFaults()).toThrow(
      [
        'nothing was changed, because of some.csv:',
        ...listed,
        'and faults in the lines 12, 13',
      ].join('\n'),
    );
  });
});
