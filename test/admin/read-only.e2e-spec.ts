import { NestFactory } from '@nestjs/core';
import { adminCommands } from '../../src/admin/admin-command.decorator.js';
import { AppModule } from '../../src/app.module.js';
import { Database } from '../../src/database/database.js';
import { readOnly } from '../../src/database/connections.js';
import { CommandLine, runProgram } from '../support/command-line.js';
import { testConfig } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

let database: TestDatabase;
beforeAll(async () => (database = await createTestDatabase()));
afterAll(() => database.drop());

/** Values for the arguments of any command. */
const ANY_VALUES: Record<string, string> = { date: '2025-10-15', day: '2025-10-15' };

test('A command that is marked readOnly cannot write, and none of them does', async () => {
  const root = AppModule.forRoot(readOnly(testConfig({ DATABASE_URL: database.url })));
  const app = await NestFactory.createApplicationContext(root, { logger: false });
  const statement = { name: 'write', text: 'DELETE FROM tokens' };
  const write = app.get(Database).run(statement, []);
  await expect(write).rejects.toThrow('cannot execute DELETE in a read-only transaction');
  for (const command of adminCommands.filter((each) => each.readOnly)) {
    const valueOf = (name: string): string => ANY_VALUES[name] ?? '101';
    const values = (command.arguments ?? []).map((argument) => valueOf(argument.name()));
    const mandatory = (command.options ?? []).filter((option) => option.mandatory);
    const required = [
      ...values,
      ...mandatory.flatMap(({ long, flags }) => [long!, valueOf(/<(\w+)>/.exec(flags)![1]!)]),
    ];
    const { stderr } = await new CommandLine(app).run([...command.name.split(' '), ...required]);
    const remedy = 'take readOnly from the command, or the writing out of it';
    expect({ command: command.name, [remedy]: stderr }).toEqual({
      command: command.name,
      [remedy]: expect.not.stringContaining('read-only transaction'),
    });
  }
  await app.close();
});

test('It is recorded all the same', async () => {
  const env = { DATABASE_URL: database.url };
  expect(await runProgram(['restaurant', 'list'], { env })).toMatchObject({ status: 0 });
  const [row] = await database.query('SELECT action, outcome FROM audit_log');
  expect(row).toEqual({ action: 'restaurant list', outcome: 'success' });
});
