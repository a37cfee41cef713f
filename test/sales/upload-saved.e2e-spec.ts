import { Injectable, Module } from '@nestjs/common';
import { OnEvent } from '@nestjs/event-emitter';
import { UploadSaved } from '../../src/sales/uploads/uploads.events.js';
import { givenTill } from '../support/given.js';
import { record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const heard: UploadSaved[] = [];

/** A module of another feature, whose listener fails. */
@Injectable()
class Listener {
  @OnEvent(UploadSaved.event)
  onSaved(saved: UploadSaved): void {
    heard.push(saved);
    throw new Error('the listener fails');
  }
}

@Module({ providers: [Listener] })
class ListeningModule {}

let service: TestApp;
let token: string;
beforeAll(async () => {
  service = await createTestApp({}, undefined, { imports: [ListeningModule] });
  ({ token } = await givenTill(service));
});
beforeEach(() => heard.splice(0));
afterAll(() => service.close());

test('An upload that is saved is heard of, and a listener that fails changes no response', async () => {
  const [first, other] = [record({ hour: 11, gto: 10 }), record({ hour: 12 })];
  expect((await service.client.upload(token, [first])).status).toBe(200);
  const corrected = [{ ...first, gto: 11 }, other];
  expect((await service.client.upload(token, corrected)).status).toBe(200);
  const { restaurant_id: restaurantId, date } = first;
  const common = { restaurantId, date, userId: expect.any(Number) };
  expect(heard).toEqual([
    { ...common, hours: [11], replacedHours: [] },
    { ...common, hours: [11, 12], replacedHours: [11] },
  ]);
});

test('What is not saved is not heard of: a dry run, a rejected upload', async () => {
  await service.client.post(
    '/api/v1/sales/upload-daily?dry_run=true',
    { records: [record()] },
    { token },
  );
  await service.client.upload(token, [record({ restaurant_id: 999 })]);
  await service.client.upload(token, [record({ gto: -1 })]);
  expect(heard).toEqual([]);
});
