PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
INSERT INTO mysql_servers VALUES(10,'db-a',3306,0,'ONLINE',1,0,200,0,0,0,'primary, it''s');
INSERT INTO mysql_servers VALUES(20,'db-b',3306,0,'ONLINE',3,0,200,10,1,0,'');
INSERT INTO mysql_servers VALUES(20,'db-c',3307,0,'ONLINE',1,0,200,10,0,0,''),(20,'db-d',3306,0,'OFFLINE_SOFT',1,0,200,0,0,0,'');
INSERT INTO "mysql_servers" VALUES(20,'db-a',3306,0,'ONLINE',1,0,200,0,0,0,'');
INSERT INTO mysql_replication_hostgroups VALUES(10,20,'read_only','shop');
INSERT INTO mysql_users(username,password,active,default_hostgroup,default_schema,transaction_persistent,max_connections) VALUES
 ('app','*2470C0C06DEE42FD1618BB99005ADCA2EC9D1E19',1,10,'shop',1,500),
 ('job','job-secret',1,10,'shop',0,10000),
 ('gone','x',0,10,NULL,1,10000);
INSERT INTO mysql_query_rules(rule_id,active,match_digest,destination_hostgroup,apply) VALUES(1,1,'^SELECT.*FOR UPDATE$',10,1);
INSERT INTO mysql_query_rules(rule_id,active,match_digest,destination_hostgroup,apply) VALUES(2,1,'^SELECT',20,1);
INSERT INTO mysql_query_rules(rule_id,active,match_pattern,replace_pattern,apply) VALUES(3,1,'^SELECT \* FROM old','SELECT * FROM new',1);
INSERT INTO mysql_query_rules(rule_id,active,match_digest,cache_ttl,destination_hostgroup,apply) VALUES(4,1,'^SELECT c FROM t',5000,20,1);
INSERT INTO scheduler VALUES(1,1,1000,'/bin/true',NULL,NULL,NULL,NULL,NULL,'');
COMMIT;
