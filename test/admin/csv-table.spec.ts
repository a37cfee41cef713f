import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { CommandRejected } from '../../src/admin/admin.errors.js';
import { forEachRow } from '../../src/admin/csv-table.js';

describe('A CSV file of a command', () => {
  const folder = mkdtempSync(join(tmpdir(), 'csv-'));
  const file = join(folder, 'some.csv');
  afterAll(() => rmSync(folder, { recursive: true }));

  const COLUMNS = { required: { id: String, name: String }, optional: { hours: String } };
  const read = async (content: string | Buffer) => {
    writeFileSync(file, content);
    const rows: object[] = [];
    await forEachRow(file, COLUMNS, (row) => rows.push(row));
    return rows;
  };
  const number = (text: string): number => {
    if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be a number.');
    return Number(text);
  };
  /** Reads a file whose ids must be numbers. */
  const readNumbers = (content: string) => {
    writeFileSync(file, content);
    const required = { id: number, name: String };
    return forEachRow(file, { ...COLUMNS, required }, ({ name }) => {
      if (name === 'refused') throw new CommandRejected('it is refused');
    });
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
    expect(await read(content)).toEqual([
      { id: '1', name: 'Mum, Dad', hours: '18:00-24:00,00:00-02:00' },
      { id: '2', name: 'Bar' },
    ]);
  });

  test('numbers its lines as an editor does, with empty lines and line breaks in cells', async () => {
    const content = '\nid,name\n1,"one\r\nmore"\n\nx,two\n7,refused\n';
    await expect(readNumbers(content)).rejects.toThrow(
      'nothing was changed, because of some.csv:\n' +
        'line 6: id "x": It must be a number.\nline 7: it is refused',
    );
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
    await expect(readNumbers('id,name\n1,a,b\nx,y\n')).rejects.toThrow(
      'line 2: it has 3 cells, but there are 2 columns\nline 3: id "x": It must be a number.',
    );
  });

  test('that cannot be read is named', async () => {
    await expect(forEachRow(join(folder, 'none'), COLUMNS, () => undefined)).rejects.toThrow(
      /none cannot be read: ENOENT$/,
    );
  });

  test('lists its faults with their lines: ten, then the lines of all others', async () => {
    const faulty = Array.from({ length: 10 }, (_, at) => `line ${at + 2}: id "x": It must be a number.`); // prettier-ignore
    await expect(readNumbers(`id,name\n${'x,y\n'.repeat(12)}`)).rejects.toThrow(
      [...faulty, 'and faults in the lines 12, 13'].join('\n'),
    );
  });
});
