import { Global, Module } from '@nestjs/common';
import { ReadQueue } from './read-queue.js';

@Global()
@Module({ providers: [ReadQueue], exports: [ReadQueue] })
export class ReadsModule {}
