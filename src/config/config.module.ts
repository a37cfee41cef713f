import { type DynamicModule, Global, Module } from '@nestjs/common';
import { type Config, TOPICS } from './config.js';

/** Provides the settings by topic. */
@Global()
@Module({})
export class ConfigModule {
  static forRoot(config: Config): DynamicModule {
    const settings = TOPICS.map((Topic) => ({ provide: Topic, useValue: config }));
    return { module: ConfigModule, providers: settings, exports: [...TOPICS] };
  }
}
