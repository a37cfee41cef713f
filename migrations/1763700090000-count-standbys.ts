import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets the service count synchronous standbys without the right to see what others run. */
export class CountStandbys1763700090000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION count_synchronous_standbys() RETURNS integer
      LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
        SELECT CASE WHEN pg_has_role('pg_read_all_stats', 'USAGE') THEN count(*)::integer END
        FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')
      $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION count_synchronous_standbys');
  }
}
